import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import UserAvatar from "./UserAvatar.vue";

test("a picture of this site is shown", () => {
  const avatar = mount(UserAvatar, { props: { name: "小满", icon: "/imgs/icons/1.webp", size: 40 } });
  expect(avatar.get("img").attributes("src")).toBe("/imgs/icons/1.webp");
});

test.each(["", undefined, "/types/x.png", "javascript:alert(1)", "//elsewhere.example/x.png' onerror"])("%j shows initials instead", (icon) => {
  const avatar = mount(UserAvatar, { props: { name: "小满", icon, size: 40 } });
  expect(avatar.find("img").exists()).toBe(false);
  expect(avatar.text()).toBe("小");
});

test("a picture that cannot be loaded gives way to initials, until there is another", async () => {
  const avatar = mount(UserAvatar, { props: { name: "小满", icon: "/imgs/gone.webp", size: 40 } });
  await avatar.get("img").trigger("error");
  expect(avatar.text()).toBe("小");
  await avatar.setProps({ icon: "/imgs/there.webp" });
  expect(avatar.get("img").attributes("src")).toBe("/imgs/there.webp");
});
