// Ties the page together: what the stream says goes to the conversation or to the daemon's side.

import { Chat } from "./chat.js";
import { Daemon } from "./daemon.js";
import { Jobs } from "./jobs.js";
import { byId, listen, token } from "./wire.js";

const WITHOUT_TOKEN = "This page needs the whole address that the playground printed, with what follows the #. A token holds for one start.";
const ENDED = "The playground doesn't answer. Start it again, and open the address it prints.";
const THEMES = ["auto", "light", "dark"];
const COMPLAINT_SECONDS = 6;

let complaining = 0;

function notice(words) {
  byId("notice").textContent = words;
  byId("notice").hidden = !words;
}

function complain(words) {
  notice(words);
  clearTimeout(complaining);
  complaining = setTimeout(() => notice(""), COMPLAINT_SECONDS * 1000);
}

const chat = new Chat(complain);
const daemon = new Daemon(complain);
const jobs = new Jobs(complain);

const hears = {
  hello() {
    notice("");
    daemon.forget();
  },
  app: (news) => chat.everything(news),
  ready(news) {
    daemon.ahead = news.now - Date.now() / 1000;
    document.body.dataset.ready = "yes";
  },
  message: (news) => chat.message(news),
  answered: (news) => complain(news.text),
  talk: (news) => chat.changed(news),
  daemon: (news) => daemon.daemon(news.value),
  jobs: (news) => jobs.draw(news.value),
  rows: (news) => daemon.rows(news.value),
  blind: (news) => daemon.blind(news.value),
  trouble: (news) => daemon.setTrouble(news.value),
  log: (news) => daemon.log(news.lines),
  beat: (news) => (daemon.ahead = news.now - Date.now() / 1000),
};

function lost(reason) {
  clearTimeout(complaining);
  notice(reason === "token" ? WITHOUT_TOKEN : ENDED);
  byId("daemon").dataset.state = "lost";
  byId("daemon-state").textContent = "unknown";
  byId("kill").disabled = true;
  byId("toggle").disabled = true;
}

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  byId("theme").textContent = `Theme: ${name}`;
  localStorage.setItem("theme", name);
}

theme(localStorage.getItem("theme") ?? "auto");
byId("theme").onclick = () => theme(THEMES[(THEMES.indexOf(localStorage.getItem("theme")) + 1) % THEMES.length]);
byId("ask").onclick = () => chat.say(byId("ask").textContent);
byId("hint-end").onclick = () => (byId("hint").hidden = true);
addEventListener("hashchange", () => location.reload());
addEventListener("keydown", (event) => {
  if (!event.altKey) return;
  const talk = chat.talks[Number(event.key) - 1];
  if (talk) chat.open(talk.id);
  else if (event.key.toLowerCase() === "a") chat.step(1);
  else if (event.key.toLowerCase() === "k") byId("kill").click();
  else return;
  event.preventDefault();
});

if (token()) listen((news) => hears[news.kind]?.(news), lost);
else lost("token");
