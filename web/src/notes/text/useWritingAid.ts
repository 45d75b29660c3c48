// People and topics to choose from while a text is written: `@` offers people, those one follows first, `#` topics that exist.
// Invariant: what the list offers belongs to the token at the caret, and choosing replaces that token alone.
import { computed, nextTick, ref, shallowRef, useId, watch, type Ref } from "vue";
import { useI18n } from "vue-i18n";
import { useSessionStore } from "@/account/sessionStore";
import { useSuggestions } from "@/shared/composables/useSuggestions";
import { showToast } from "@/shared/toast";
import { findPeople, listFollowed, suggestTopics, type MentionablePerson } from "./api";
import { mentionedIn, type Mention } from "./textParts";
import { tokenAt, type TypedToken } from "./typedToken";

export interface Choice {
  id: string;
  /** What it puts into the text, with its signs. */
  text: string;
  person?: { userId: number; name: string; icon: string; followed: boolean };
  topic?: { name: string; notes: number };
}

interface Options {
  text: Ref<string>;
  /** Who was chosen; some may not be in the text any more. */
  mentions: Ref<Mention[]>;
  field: Readonly<Ref<HTMLInputElement | HTMLTextAreaElement | null>>;
  mentionsMax: number;
  /** Whether `#` offers topics. */
  topics: boolean;
}

/** What fits above a phone's keyboard. */
const CHOICES_MAX = 6;

export function useWritingAid({ text, mentions, field, mentionsMax, topics }: Options) {
  const { t } = useI18n();
  const session = useSessionStore();
  const listId = useId();
  const token = shallowRef<TypedToken | null>(null);
  /** With its sign; empty if there is no token. */
  const wanted = ref("");
  const active = ref(-1);
  let followees: Promise<readonly MentionablePerson[]> | undefined;

  const { suggestions: choices, clear } = useSuggestions(wanted, (typed, signal) =>
    typed.startsWith("@") ? choosePeople(typed.slice(1), signal) : chooseTopics(typed.slice(1), signal),
  );
  const open = computed(() => token.value !== null && choices.value.length > 0);
  const activeId = computed(() => (open.value ? choices.value[active.value]?.id : undefined));
  const attributes = computed(() => ({
    "aria-autocomplete": "list" as const,
    "aria-haspopup": "listbox" as const,
    "aria-controls": open.value ? listId : undefined,
    "aria-activedescendant": activeId.value,
  }));
  // A new topic is as likely as one that exists; a mention is always of somebody.
  watch(choices, (found) => (active.value = found[0]?.person ? 0 : -1));

  /** Call it when the text or the caret has changed, but not while a word is composed. */
  function look(): void {
    const caret = field.value?.selectionStart ?? null;
    const found = caret === null || caret !== field.value?.selectionEnd ? null : tokenAt(field.value.value, caret);
    token.value = found?.kind === "topic" && !topics ? null : found;
    wanted.value = token.value === null ? "" : (token.value.kind === "person" ? "@" : "#") + token.value.typed;
  }

  function close(): void {
    token.value = null;
    wanted.value = "";
    clear();
  }

  /** Whether the key was for the list. */
  function onKey(event: KeyboardEvent): boolean {
    if (!open.value || event.isComposing) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const chosen = choices.value[active.value];
    if (step !== undefined) move(step);
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Past either end is the text itself. */
  function move(by: number): void {
    const places = choices.value.length + 1;
    active.value = ((active.value + 1 + by + places) % places) - 1;
  }

  function choose(choice: Choice): void {
    const element = field.value;
    if (token.value === null || element === null) return;
    if (choice.person && isTooMany(choice.person.userId)) {
      close();
      return void showToast(t("mention.tooMany", { max: mentionsMax }));
    }
    const { from, typed } = token.value;
    const before = text.value.slice(0, from) + choice.text;
    const after = text.value.slice(from + 1 + typed.length);
    const space = after.startsWith(" ") ? "" : " ";
    text.value = before + space + after;
    if (choice.person) addMention(choice.person);
    close();
    const caret = before.length + 1;
    void nextTick(() => {
      element.focus();
      element.setSelectionRange(caret, caret);
    });
  }

  function isTooMany(userId: number): boolean {
    const there = mentionedIn(text.value, mentions.value);
    return there.length >= mentionsMax && there.every((it) => it.userId !== userId);
  }

  function addMention({ userId, name }: Mention): void {
    const others = mentions.value.filter((it) => it.userId !== userId || it.name !== name);
    mentions.value = [...others, { userId, name }];
  }

  async function choosePeople(typed: string, signal: AbortSignal): Promise<Choice[]> {
    const needle = typed.toLowerCase();
    const known = (await myFollowees()).filter(({ nickName }) => nickName.toLowerCase().includes(needle));
    const found = typed === "" ? [] : await findPeople(typed, signal);
    const ids = new Set(known.map(({ id }) => id));
    const others = found.filter(({ id }) => !ids.has(id) && id !== session.me?.id);
    const followed = others.filter(({ isFollowed }) => isFollowed);
    const strangers = others.filter(({ isFollowed }) => !isFollowed);
    const people = [...[...known, ...followed].map((it) => personChoice(it, true)), ...strangers.map((it) => personChoice(it, false))];
    return people.slice(0, CHOICES_MAX);
  }

  /** The latest ones; read once. Without them the search is as useful. */
  function myFollowees(): Promise<readonly MentionablePerson[]> {
    const me = session.me;
    if (me === null) return Promise.resolve([]);
    followees ??= listFollowed(me.id).catch(() => {
      followees = undefined;
      return [];
    });
    return followees;
  }

  function personChoice({ id, nickName, icon }: MentionablePerson, followed: boolean): Choice {
    const person = { userId: id, name: nickName, icon, followed };
    return { id: `${listId}-${id}`, text: `@${nickName}`, person };
  }

  async function chooseTopics(typed: string, signal: AbortSignal): Promise<Choice[]> {
    const found = await suggestTopics(typed, signal);
    return found.slice(0, CHOICES_MAX).map((topic, at) => ({ id: `${listId}-topic-${at}`, text: `#${topic.name}#`, topic }));
  }

  return { listId, open, choices, active, attributes, look, close, onKey, choose };
}
