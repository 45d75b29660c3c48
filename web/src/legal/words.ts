// The words of the pages about privacy and terms, in both languages. They are here and not among the app's messages because
// only these two pages need them. A purpose of the data map without words is a type error.
import type { LocaleName } from "@/shared/i18n/i18n";
import type { DataUse, Purpose } from "./api";

export type Words = Record<LocaleName, string>;
export type Numbers = Record<string, number | string>;

export interface Section {
  id: string;
  title: Words;
  paragraphs: readonly Words[];
}

/** Names in braces are replaced by what the server says. */
export function filled(text: string, numbers: Numbers): string {
  return text.replaceAll(/\{(\w+)\}/gu, (_, name: string) => String(numbers[name] ?? ""));
}

export const TEMPLATE: Words = {
  "zh-CN": "以下是随软件提供的模板，如实说明本站软件的做法。站点运营者应结合自己的情况和当地法律审阅、补充或替换。",
  en: "This is the template that comes with the software. It says what the software really does. Whoever runs this site must check it, add to it or replace it.",
};

export const OPERATOR = {
  title: { "zh-CN": "运营者", en: "Who runs this site" },
  name: { "zh-CN": "名称", en: "Name" },
  contact: { "zh-CN": "联系方式", en: "Contact" },
  unnamed: {
    "zh-CN": "运营者还没有填写名称和联系方式。",
    en: "The operator of this site hasn't given a name or contact yet.",
  },
} satisfies Record<string, Words>;

export const LINKS = {
  terms: { "zh-CN": "阅读用户协议", en: "Read the terms of use" },
  privacy: { "zh-CN": "阅读隐私政策", en: "Read the privacy policy" },
} satisfies Record<string, Words>;

export const DATA_USES = {
  title: { "zh-CN": "保存哪些数据", en: "What we keep" },
  lead: {
    "zh-CN": "这份清单由网站程序按实际保存的数据自动生成，期限就是当前生效的设置。",
    en: "This list is made by the site itself from the data it really keeps. The times are those in force now.",
  },
  kept: { "zh-CN": "保存期限", en: "Kept" },
  afterwards: { "zh-CN": "注销账号后", en: "After you delete your account" },
  remains: {
    nothing: { "zh-CN": "全部删除", en: "All of it is deleted" },
    books: {
      "zh-CN": "作为账目保留，只剩一个账号编号，不再与你的身份关联",
      en: "Stays in the books under an account number that no longer leads to you",
    },
    security: {
      "zh-CN": "操作记录保留到期满，只剩一个账号编号",
      en: "The record of changes stays until its time is over, under an account number",
    },
  },
} satisfies Record<string, Words | Record<string, Words>>;

const KEPT_FOR: Record<DataUse["kept"][number]["until"], Words> = {
  processed: { "zh-CN": "处理完即删除", en: "until it has been processed" },
  days: { "zh-CN": "{days}", en: "{days}" },
  account: { "zh-CN": "直到你删除它或注销账号", en: "until you delete it or your account" },
  books: { "zh-CN": "长期保存（法律要求保留账目）", en: "for good (the law requires books)" },
};

/** Data of one purpose may be in several places, each with its own time. */
export function keptText(kept: DataUse["kept"], language: LocaleName): string {
  const parts = kept.map(({ until, days }) => filled(KEPT_FOR[until][language], { days: daysText(days ?? 0, language) }));
  if (parts.length < 2) return parts.join("");
  return language === "zh-CN" ? `视具体内容：${parts.join("，或")}` : `${parts.join(", or ")}, depending on which part of it`;
}

/** How long an order waits: in minutes, and below one in seconds. */
export function waitText(secs: number, language: LocaleName): string {
  const count = secs < 60 ? secs : Math.round(secs / 60);
  const unit = secs < 60 ? "second" : "minute";
  return amountText(count, unit, language);
}

export function daysText(days: number, language: LocaleName): string {
  return amountText(days, "day", language);
}

const CHINESE_UNITS = { second: "秒", minute: "分钟", day: "天" };

function amountText(count: number, unit: keyof typeof CHINESE_UNITS, language: LocaleName): string {
  if (language === "zh-CN") return `${count} ${CHINESE_UNITS[unit]}`;
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** What each purpose of the data map is in plain words. */
export const PURPOSES: Record<Purpose, { title: Words; text: Words }> = {
  sign_in: {
    title: { "zh-CN": "登录", en: "Signing in" },
    text: {
      "zh-CN": "手机号或邮箱，你设置的密码（只保存无法还原的摘要），以及注册时间。",
      en: "Your phone number or email address, a password if you set one (only as a hash that can't be reversed), and when you signed up.",
    },
  },
  profile: {
    title: { "zh-CN": "个人资料", en: "Your profile" },
    text: {
      "zh-CN": "昵称、头像，以及你选择填写的简介、城市、性别和生日。",
      en: "Your nickname and avatar, and the introduction, city, gender and birthday you choose to give.",
    },
  },
  content: {
    title: { "zh-CN": "笔记、评论和图片", en: "Notes, comments and photos" },
    text: {
      "zh-CN": "你发布的笔记、评论和上传的图片。图片会重新编码，拍摄地点等附加信息不会保留。",
      en: "The notes and comments you write and the photos you upload. Photos are re-encoded, so where they were taken isn't kept.",
    },
  },
  likes: {
    title: { "zh-CN": "喜欢", en: "Likes" },
    text: { "zh-CN": "你喜欢过哪些笔记和评论。", en: "Which notes and comments you like." },
  },
  follows: {
    title: { "zh-CN": "关注", en: "Following" },
    text: { "zh-CN": "你关注了谁，谁关注了你。", en: "Who you follow and who follows you." },
  },
  favourites: {
    title: { "zh-CN": "收藏", en: "Saved shops" },
    text: { "zh-CN": "你收藏的商家和收藏夹，只有你自己能看到。", en: "The shops you save and your lists. Only you see them." },
  },
  check_ins: {
    title: { "zh-CN": "签到", en: "Check-ins" },
    text: { "zh-CN": "你在哪些日子签到。", en: "The days on which you checked in." },
  },
  orders: {
    title: { "zh-CN": "订单", en: "Orders" },
    text: {
      "zh-CN": "你购买的代金券、券码，以及下单、付款、使用和退款的时间。",
      en: "The vouchers you buy, their codes, and when you ordered, paid, used or returned them.",
    },
  },
  money: {
    title: { "zh-CN": "付款和余额", en: "Payments and balance" },
    text: {
      "zh-CN": "付款方式、金额、支付平台的流水号，以及余额的每一笔收支。银行卡号不经过本站。",
      en: "How and what you paid, the payment provider's reference, and each change of your balance. Card numbers never reach this site.",
    },
  },
  notices: {
    title: { "zh-CN": "消息", en: "Notifications" },
    text: {
      "zh-CN": "发给你的订单和互动消息，以及你关闭了哪些提醒。",
      en: "What we told you about your orders and about likes, comments and followers, and which of these you switched off.",
    },
  },
  moderation: {
    title: { "zh-CN": "举报", en: "Reports" },
    text: { "zh-CN": "你举报过的笔记和评论，以及理由。", en: "The notes and comments you reported, and why." },
  },
  security: {
    title: { "zh-CN": "安全和权限", en: "Security and permissions" },
    text: {
      "zh-CN": "账号的身份和状态；商家和管理员的操作记录。",
      en: "Your account's role and state, and a record of what merchants and admins change.",
    },
  },
  account_deletion: {
    title: { "zh-CN": "注销申请", en: "Requests to delete an account" },
    text: { "zh-CN": "你申请注销账号的时间和进度。", en: "When you asked for it, and how far it has got." },
  },
  operation: {
    title: { "zh-CN": "网站运行", en: "Running the site" },
    text: { "zh-CN": "网站运行所需、不涉及个人的数据。", en: "What the site needs to run. It says nothing about people." },
  },
};

export const PRIVACY: readonly Section[] = [
  {
    id: "audience",
    title: { "zh-CN": "谁能看到", en: "Who sees it" },
    paragraphs: [
      {
        "zh-CN": "所有人都能看到你的昵称、头像、简介、笔记、评论、喜欢和关注关系。城市、性别和生日默认只有你自己可见，可以在“编辑资料”里选择展示。",
        en: "Everyone can see your nickname, avatar, introduction, notes, comments, likes, and who you follow. Your city, gender and birthday are yours alone unless you choose to show them under Edit profile.",
      },
      {
        "zh-CN": "商家核销时，会看到券码对应的代金券和金额。管理员会看到被举报的内容，以及需要人工处理的订单和付款。",
        en: "A shop that redeems your code sees which voucher it's for and what it's worth. Admins see what was reported, and orders and payments that need a person to look at them.",
      },
      {
        "zh-CN": "发送验证码时，短信或邮件服务商会收到你的手机号或邮箱；在线付款时，支付平台会收到订单号和金额。此外，我们不向任何人提供你的数据，没有广告，也没有第三方统计脚本。",
        en: "When you ask for a code, the text message or email service gets your number or address. When you pay online, the payment provider gets the order number and the amount. Otherwise your data goes to no one: there are no ads and no third-party trackers.",
      },
    ],
  },
  {
    id: "cookies",
    title: { "zh-CN": "Cookie 和本机存储", en: "Cookies and your browser's storage" },
    paragraphs: [
      {
        "zh-CN": "本站只用两个 Cookie，脚本都读不到：一个让你保持登录，最长 {session}；一个在你再次获取验证码时认出这台设备，最长 {device}。都不用于跟踪。",
        en: "There are two cookies, and scripts can read neither. One keeps you signed in, for {session} at most. One recognizes this device when you ask for a code again, for {device} at most. Neither is used to track you.",
      },
      {
        "zh-CN": "语言、外观、所选位置、搜索历史、草稿和离线券码只保存在你的浏览器里。",
        en: "Your language, appearance, chosen place, search history, drafts and vouchers for offline use stay in your browser.",
      },
    ],
  },
  {
    id: "visits",
    title: { "zh-CN": "访问和网络地址", en: "Visits and network addresses" },
    paragraphs: [
      {
        "zh-CN": "页面访问量按天统计。访客只以加盐的摘要计数，盐过期后就无法还原是谁。",
        en: "Page visits are counted by the day. Visitors are counted by a salted hash only, and once the salt has expired no one can tell who they were.",
      },
      {
        "zh-CN": "网络地址用于限制滥用，计数到期自动消失；登录设备列表里会显示缩略的地址，退出登录即删除。手机号、验证码和密码不会写入日志。",
        en: "Network addresses are used to limit abuse, and those counters end by themselves. Your list of devices shows a shortened address until you sign out. Phone numbers, codes and passwords are never written to a log.",
      },
    ],
  },
  {
    id: "rights",
    title: { "zh-CN": "你的权利", en: "Your rights" },
    paragraphs: [
      {
        "zh-CN": "你可以随时修改资料、删除自己的笔记和评论，下载本站保存的你的数据，或注销账号。申请注销后 {grace}内可以撤回，之后删除的内容无法恢复。",
        en: "At any time you can change your profile, delete your notes and comments, download what this site has about you, or delete your account. For {grace} after that you can change your mind. What is deleted then can't be brought back.",
      },
      {
        "zh-CN": "备份里的数据会随备份一起过期。有疑问请联系运营者，你也可以向当地的监管机构投诉。",
        en: "Data in backups goes when the backups do. If you have questions, contact the operator. You can also complain to your data protection authority.",
      },
    ],
  },
];

export const TERMS: readonly Section[] = [
  {
    id: "account",
    title: { "zh-CN": "账号", en: "Your account" },
    paragraphs: [
      {
        "zh-CN": "用手机号或邮箱登录即创建账号。请保管好验证码和密码，不要交给他人；用你的账号进行的操作由你负责。",
        en: "Signing in with a phone number or email address creates an account. Keep codes and passwords to yourself. You're responsible for what is done with your account.",
      },
      {
        "zh-CN": "你可以随时注销账号。违反本协议的账号，运营者可以停用。",
        en: "You can delete your account at any time. The operator may close accounts that break these terms.",
      },
    ],
  },
  {
    id: "vouchers",
    title: { "zh-CN": "代金券和订单", en: "Vouchers and orders" },
    paragraphs: [
      {
        "zh-CN": "代金券由商家发布，使用规则在购买页面列明。付款后得到券码，到店出示即可使用，每个券码只能使用一次。",
        en: "Shops publish vouchers, and the page where you buy one lists its rules. Once you've paid you get a code. Show it at the shop; each code works once.",
      },
      {
        "zh-CN": "未付款的订单保留 {wait}，超时自动取消，名额让给别人，不会扣款。限时秒杀先到先得，每人可购数量以页面为准。",
        en: "An unpaid order is held for {wait}. Then it's cancelled, its place goes to someone else, and nothing is charged. Flash sales are first come, first served, within the limit per person shown on the page.",
      },
    ],
  },
  {
    id: "refunds",
    title: { "zh-CN": "退款", en: "Refunds" },
    paragraphs: [
      {
        "zh-CN": "已付款、未使用的代金券可以随时全额退款，款项原路退回；用余额支付的，退回余额。退款后券码立即失效。已使用的代金券有问题，请与商家协商。",
        en: "A voucher that's paid for and unused can be refunded in full at any time, to the way you paid. What you paid from your balance goes back to your balance. The code stops working at once. If something is wrong with a voucher you've used, talk to the shop.",
      },
      {
        "zh-CN": "订单关闭后才到账的付款，以及重复付款，会自动退回。",
        en: "A payment that arrives after its order was closed, or a second one for the same order, is returned automatically.",
      },
    ],
  },
  {
    id: "content",
    title: { "zh-CN": "内容规范", en: "What you post" },
    paragraphs: [
      {
        "zh-CN": "请只发布自己的、真实的内容。不要发布广告、辱骂、违法或侵犯他人隐私和版权的内容。",
        en: "Post what is your own and true. No ads, abuse, anything illegal, or anything that violates someone's privacy or copyright.",
      },
      {
        "zh-CN": "内容的权利仍属于你；发布即允许本站展示它，删除后不再展示。被举报的内容，管理员可以隐藏或删除。",
        en: "What you post stays yours. Posting it allows this site to show it until you delete it. Admins may hide or delete what was reported.",
      },
    ],
  },
  {
    id: "liability",
    title: { "zh-CN": "责任", en: "Responsibility" },
    paragraphs: [
      {
        "zh-CN": "商品和服务由商家提供，并由商家负责。笔记是用户的个人体验，不代表本站的观点。",
        en: "Shops provide what they sell and are responsible for it. Notes are people's own experiences, not the opinion of this site.",
      },
      {
        "zh-CN": "我们会尽力让网站可用、账目准确，但不能保证永不中断。法律赋予你的权利不因本协议而减少。",
        en: "We do our best to keep the site running and its books right, but can't promise that it never fails. Nothing here takes away rights that the law gives you.",
      },
    ],
  },
  {
    id: "changes",
    title: { "zh-CN": "协议变更", en: "Changes" },
    paragraphs: [
      {
        "zh-CN": "协议有变更时会更新本页。变更后继续使用，即表示接受。",
        en: "When these terms change, this page does. If you go on using the site, you accept the change.",
      },
    ],
  },
];
