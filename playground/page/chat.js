// The conversation as a phone shows it: bubbles that grow while they are edited, and everything a person can do.

import { bubble, excerpt } from "./bubble.js";
import { act, byId, make } from "./wire.js";

const NEAR_END = 80;
const TYPING_SECONDS = 6;
const KEPT_AS_PHOTO = /^image\/(png|jpeg)$/;

export class Chat {
  constructor(complain) {
    this.complain = complain;
    this.world = { users: [], chats: [], bot: {} };
    this.talks = [];
    this.messages = new Map();
    this.unread = new Map();
    this.current = 0;
    this.about = null;
    this.drafts = new Map();
    this.bind();
  }

  bind() {
    byId("composer").onsubmit = (event) => {
      event.preventDefault();
      this.submit();
    };
    byId("words").onkeydown = (event) => this.key(event);
    byId("words").oninput = () => {
      this.grow();
      this.suggest();
    };
    byId("writer").onchange = () => this.drawTalk(Number(byId("writer").value));
    byId("about-end").onclick = () => this.talkAbout(null);
    const attach = byId("attach");
    attach.onkeydown = (event) => ["Enter", " "].includes(event.key) && byId("file").click();
    byId("file").onchange = (event) => this.sendFile(event.target.files[0]);
    byId("messages").ondragover = (event) => event.preventDefault();
    byId("messages").ondrop = (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.sendFile(event.dataTransfer.files[0]);
    };
  }

  get talk() {
    return this.talks.find((talk) => talk.id === this.current);
  }

  get writer() {
    return this.talk.type === "private" ? this.current : Number(byId("writer").value);
  }

  everything({ world, messages }) {
    this.world = world;
    this.talks = world.chats.filter((chat) => !chat.migrated_to);
    this.messages = new Map(
      Object.entries(messages).map(([id, list]) => [Number(id), new Map(list.map((one) => [one.message_id, one]))]),
    );
    if (!this.talk && this.talks.length) this.current = this.talks[0].id;
    this.drawTalks();
    this.drawTalk();
  }

  message(message) {
    const talk = this.messages.get(message.chat) ?? new Map();
    this.messages.set(message.chat, talk);
    const known = talk.has(message.message_id);
    if (message.deleted) talk.delete(message.message_id);
    else talk.set(message.message_id, message);
    if (message.chat !== this.current) {
      if (!known && message.from_bot) this.unread.set(message.chat, (this.unread.get(message.chat) ?? 0) + 1);
      this.drawTalks();
      return;
    }
    this.drawMessage(message);
    this.drawStatus();
  }

  chat(chat) {
    const place = this.talks.findIndex((talk) => talk.id === chat.id);
    if (place >= 0) this.talks[place] = chat;
    if (chat.id === this.current) this.drawStatus();
  }

  open(id) {
    if (this.talk) this.drafts.set(this.current, byId("words").value);
    this.current = id;
    this.unread.delete(id);
    byId("words").value = this.drafts.get(id) ?? "";
    this.talkAbout(null);
    this.drawTalks();
    this.drawTalk();
    this.grow();
    byId("words").focus();
  }

  // drawing ---------------------------------------------------------------------------------------------

  title(talk) {
    return talk.title ?? [talk.first_name, talk.last_name].filter(Boolean).join(" ");
  }

  drawTalks() {
    byId("talks").replaceChildren(
      ...this.talks.map((talk, place) => {
        const count = this.unread.get(talk.id);
        const chosen = talk.id === this.current;
        return make(
          "button",
          {
            type: "button", role: "tab", tabIndex: chosen ? 0 : -1, title: `Alt+${place + 1}`,
            aria: { selected: String(chosen) },
            onclick: () => this.open(talk.id),
            onkeydown: (event) => this.turn(event, place),
          },
          face(this.title(talk), talk.id),
          make("span", {}, this.title(talk)),
          count ? make("b", { className: "badge" }, String(count)) : null,
        );
      }),
    );
  }

  turn(event, place) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    this.open(this.talks[(place + step + this.talks.length) % this.talks.length].id);
    byId("talks").querySelector('[aria-selected="true"]').focus();
  }

  drawTalk(writer = 0) {
    if (!this.talk) return;
    const direct = this.talk.type === "private";
    const bot = this.world.bot.first_name ?? "";
    byId("talk-title").textContent = direct ? bot : this.title(this.talk);
    byId("talk-face").replaceChildren(face(direct ? bot : this.title(this.talk), direct ? 7 : this.current));
    byId("writer").hidden = direct;
    const people = this.world.users.filter((user) => String(user.id) in (this.talk.members ?? {}));
    byId("writer").replaceChildren(...people.map((user) => make("option", { value: user.id, selected: user.id === writer }, user.first_name)));
    byId("words").placeholder = direct
      ? `Message as ${this.title(this.talk)}`
      : `Mention @${this.world.bot.username}`;
    const list = byId("messages");
    list.replaceChildren();
    for (const message of this.messages.get(this.current)?.values() ?? []) list.append(this.item(message));
    if (!list.children.length) list.append(this.emptiness(direct));
    list.scrollTop = list.scrollHeight;
    this.drawStatus();
  }

  emptiness(direct) {
    const words = direct
      ? `Nothing here yet. ${this.title(this.talk)} may write the first word.`
      : `A group of ${Object.keys(this.talk.members ?? {}).length} people and the bot, which answers when it is named.`;
    return make("li", { className: "empty" }, words);
  }

  drawMessage(message) {
    const list = byId("messages");
    const near = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    const old = document.getElementById(`m${message.message_id}`);
    if (message.deleted) old?.remove();
    else if (old) this.redraw(old, message);
    else {
      list.querySelector(".empty")?.remove();
      list.append(this.item(message));
    }
    if (near || !message.from_bot) list.scrollTop = list.scrollHeight;
  }

  redraw(old, message) {
    const focused = old.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    const item = this.item(message);
    if (message.from_bot && message.edits) {
      item.classList.add("growing");
      clearTimeout(this.still);
      this.still = setTimeout(() => byId("messages").querySelectorAll(".growing").forEach((one) => one.classList.remove("growing")), 900);
    }
    byId("messages").querySelectorAll(".growing").forEach((one) => one !== old && one.classList.remove("growing"));
    old.replaceWith(item);
    if (focused) item.querySelector(`[data-does="${focused}"]`)?.focus();
  }

  item(message) {
    const talk = this.messages.get(message.chat);
    const before = [...talk.keys()].filter((id) => id < message.message_id).pop();
    return bubble(message, {
      mine: this.talk.type === "private" ? !message.from_bot : message.sender === this.writer,
      named: this.talk.type !== "private" && talk.get(before)?.sender !== message.sender,
      joined: talk.get(before)?.sender === message.sender,
      answered: talk.get(message.reply_to),
      bot: this.world.bot.id,
      does: {
        reply: () => this.talkAbout({ kind: "reply", message }),
        edit: !message.from_bot && message.text ? () => this.talkAbout({ kind: "edit", message }) : null,
        react: (emoji) => this.does("react", { message: message.message_id, emoji }),
        press: (data) => this.does("press", { message: message.message_id, data }),
        jump: (id) => this.jump(id),
      },
    });
  }

  jump(id) {
    const target = document.getElementById(`m${id}`);
    target?.scrollIntoView({ block: "center", behavior: "smooth" });
    target?.classList.add("pointed");
    setTimeout(() => target?.classList.remove("pointed"), 1200);
  }

  drawStatus() {
    const [action, at] = this.talk.action ?? ["", 0];
    const typing = action && Date.now() / 1000 - at < TYPING_SECONDS;
    clearTimeout(this.quiet);
    if (typing) this.quiet = setTimeout(() => this.drawStatus(), 1000);
    const direct = this.talk.type === "private";
    byId("talk-status").textContent = typing ? `${direct ? "" : "Dragoman is "}${action.replaceAll("_", " ")}…` : direct ? "bot" : "group";
    byId("talk-status").classList.toggle("typing", Boolean(typing));
  }

  // writing -----------------------------------------------------------------------------------------------

  async does(name, body) {
    try {
      return await act(`people/${name}`, { user: this.writer, chat: this.current, ...body });
    } catch (error) {
      this.complain(error.message);
      return null;
    }
  }

  talkAbout(about) {
    this.about = about;
    byId("about").hidden = !about;
    if (!about) return;
    byId("about-words").textContent = `${about.kind === "edit" ? "Edit" : `Reply to ${about.message.name}`}: ${excerpt(about.message)}`;
    if (about.kind === "edit") byId("words").value = about.message.text;
    this.grow();
    byId("words").focus();
  }

  async submit() {
    const text = byId("words").value.trim();
    if (!text) return;
    const about = this.about;
    byId("words").value = "";
    this.talkAbout(null);
    this.grow();
    this.suggest();
    const done = about?.kind === "edit"
      ? await this.does("edit_text", { message: about.message.message_id, text })
      : await this.does("send_text", { text, reply_to: about?.message.message_id ?? 0 });
    if (done === null && !byId("words").value) byId("words").value = text;
  }

  say(text) {
    return this.does("send_text", { text });
  }

  async sendFile(file) {
    if (!file) return;
    byId("file").value = "";
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 32768) binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
    const caption = byId("words").value.trim();
    const sent = await this.does("send_file", {
      kind: KEPT_AS_PHOTO.test(file.type) ? "photo" : "document",
      name: file.name, mime: file.type || "application/octet-stream", content: btoa(binary), caption,
    });
    if (sent !== null && caption) byId("words").value = "";
  }

  key(event) {
    const menu = byId("menu");
    if (!menu.hidden && this.choose(event, menu)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Escape") this.talkAbout(null);
    else if (event.key === "ArrowUp" && !event.target.value) this.editLast(event);
  }

  editLast(event) {
    const mine = [...(this.messages.get(this.current)?.values() ?? [])].filter((one) => one.sender === this.writer && one.text);
    if (!mine.length) return;
    event.preventDefault();
    this.talkAbout({ kind: "edit", message: mine.at(-1) });
  }

  grow() {
    const words = byId("words");
    words.style.height = "auto";
    words.style.height = `${Math.min(words.scrollHeight, 160)}px`;
  }

  // the command menu ----------------------------------------------------------------------------------------

  suggest() {
    const typed = /^\/(\w*)$/.exec(byId("words").value);
    const all = Object.values(this.world.commands ?? {}).flat();
    const fitting = typed ? all.filter((one) => one.command.startsWith(typed[1].toLowerCase())) : [];
    const once = [...new Map(fitting.map((one) => [one.command, one])).values()];
    byId("menu").hidden = !once.length;
    byId("menu").replaceChildren(
      ...once.map((one, place) =>
        make(
          "button",
          { type: "button", role: "option", tabIndex: -1, aria: { selected: String(place === 0) }, onclick: () => this.pick(one.command) },
          make("b", {}, `/${one.command}`),
          make("span", {}, one.description),
        ),
      ),
    );
  }

  choose(event, menu) {
    const options = [...menu.children];
    const at = options.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      options[at]?.setAttribute("aria-selected", "false");
      const next = options[(at + step + options.length) % options.length];
      next.setAttribute("aria-selected", "true");
      next.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Tab" || (event.key === "Enter" && options[at].firstChild.textContent !== event.target.value)) options[at].click();
    else if (event.key === "Escape") menu.hidden = true;
    else return false;
    event.preventDefault();
    return true;
  }

  pick(command) {
    byId("words").value = `/${command}`;
    byId("menu").hidden = true;
    byId("words").focus();
  }
}

function face(name, seed) {
  const element = make("i", { className: "face" }, [...name][0] ?? "?");
  element.style.setProperty("--hue", String((Math.abs(seed) * 137) % 360));
  return element;
}
