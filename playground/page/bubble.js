// One message as a bubble, with its reply, its file, its buttons and reactions, and what can be done with it.

import { formatted } from "./text.js";
import { clock, fileAddress, make } from "./wire.js";

const REACTIONS = ["👍", "❤", "🔥", "🎉", "😢", "👀"];
const PLACEHOLDER = /^(…|\.\.\.)$/;
const addresses = new Map();

/** Gives the beginning of what a message says. */
export function excerpt(message) {
  const words = message.text ?? message.caption ?? kind(message);
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}

/** Makes the bubble. */
export function bubble(message, view) {
  if (Object.keys(message.service ?? {}).length) return make("li", { id: `m${message.message_id}`, className: "service" }, serviceWords(message));
  const side = view.mine ? "mine" : "theirs";
  const classes = ["message", side, view.joined ? "joined" : ""].filter(Boolean).join(" ");
  return make(
    "li",
    { id: `m${message.message_id}`, className: classes, data: { sender: message.sender } },
    make(
      "div",
      { className: "bubble" },
      view.named && !view.mine ? make("b", { className: "sender" }, message.name) : null,
      answered(message, view),
      media(message),
      words(message),
      stamp(message),
    ),
    keyboard(message, view.does),
    reactions(message),
    actions(message, view),
  );
}

function words(message) {
  const text = message.text ?? message.caption ?? "";
  if (message.from_bot && PLACEHOLDER.test(text)) {
    return make("div", { className: "text waiting", aria: { label: "is writing" } }, make("i"), make("i"), make("i"));
  }
  return text ? make("div", { className: "text" }, formatted(text, message.entities ?? message.caption_entities)) : null;
}

function stamp(message) {
  const edited = message.edits && !message.from_bot ? "edited " : "";
  return make("time", { title: message.edits ? `${message.edits} edits` : "" }, `${edited}${clock(message.date)}`);
}

function answered(message, view) {
  if (!message.reply_to) return null;
  const target = view.answered;
  const text = message.quote?.text ?? (target ? excerpt(target) : "deleted message");
  return make(
    "button",
    { className: "answered", type: "button", data: { does: "jump" }, onclick: () => view.does.jump(message.reply_to) },
    make("b", {}, target?.name ?? ""),
    make("span", {}, text),
  );
}

function kind(message) {
  return ["photo", "document", "voice", "audio", "video", "animation", "sticker", "location", "contact"].find((name) => message[name]) ?? "message";
}

function media(message) {
  const name = kind(message);
  if (name === "message") return null;
  if (name === "photo") return picture(message.photo.at(-1));
  if (name === "location") return make("p", { className: "file" }, `📍 ${message.location.latitude}, ${message.location.longitude}`);
  if (name === "sticker") return make("p", { className: "sticker" }, message.sticker.emoji ?? "🖼");
  return fileLine(message[name], name);
}

function picture(photo) {
  const image = make("img", { className: "photo", alt: "Photo" });
  if (photo.width && photo.height) Object.assign(image, { width: photo.width, height: photo.height });
  if (!addresses.has(photo.file_id)) addresses.set(photo.file_id, fileAddress(photo.file_id, "image/jpeg"));
  addresses.get(photo.file_id).then(
    (address) => (image.src = address),
    () => image.replaceWith(make("p", { className: "file" }, "🖼 photo")),
  );
  return image;
}

function fileLine(file, name) {
  const button = make(
    "button",
    { className: "file", type: "button", title: "Save", data: { does: "save" }, onclick: () => save(file) },
    `📄 ${file.file_name ?? name}`,
    make("small", {}, size(file.file_size)),
  );
  return button;
}

async function save(file) {
  const address = await fileAddress(file.file_id, "application/octet-stream");
  make("a", { href: address, download: file.file_name ?? "file" }).click();
  URL.revokeObjectURL(address);
}

function size(bytes) {
  if (!bytes) return "";
  return bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}

function keyboard(message, does) {
  const rows = message.reply_markup?.inline_keyboard;
  if (!rows) return null;
  return make(
    "div",
    { className: "keyboard" },
    ...rows.map((row) =>
      make(
        "div",
        {},
        ...row.map((button, place) =>
          make(
            "button",
            { type: "button", data: { does: `press${place}` }, disabled: !button.callback_data, onclick: () => does.press(button.callback_data) },
            button.text,
          ),
        ),
      ),
    ),
  );
}

function reactions(message) {
  const all = Object.values(message.reactions ?? {}).flat().map((one) => one.emoji ?? "★");
  if (!all.length) return null;
  const counted = new Map();
  for (const emoji of all) counted.set(emoji, (counted.get(emoji) ?? 0) + 1);
  return make(
    "div",
    { className: "reactions" },
    ...[...counted].map(([emoji, count]) => make("span", {}, count > 1 ? `${emoji} ${count}` : emoji)),
  );
}

function actions(message, view) {
  const button = (name, label, does) =>
    make("button", { type: "button", title: label, aria: { label }, data: { does: label }, onclick: does }, name);
  return make(
    "div",
    { className: "actions", role: "group", aria: { label: "What to do with this message" } },
    button("↩", "Reply", view.does.reply),
    view.mine && view.does.edit ? button("✎", "Edit", view.does.edit) : null,
    ...(message.from_bot ? REACTIONS.map((emoji) => button(emoji, `React with ${emoji}`, () => view.does.react(emoji))) : []),
  );
}

function serviceWords(message) {
  const [name] = Object.keys(message.service);
  return `${message.name}: ${name.replaceAll("_", " ")}`;
}
