"""English."""

from gateway.texts.en_answering import ANSWERING
from gateway.texts.en_files import FILES
from gateway.texts.en_jobs import JOBS

SENTENCES = {
    **FILES,
    **ANSWERING,
    **JOBS,
    # what went wrong, told to the person who waits
    "apology": "Sorry, I could not answer this: it failed three times. Please ask again, perhaps in other words.",
    "refused": "Sorry, the model refuses this request as it stands. Please ask again in other words.",
    "empty": "(The model gave no answer.)",
    "model.refused_key": (
        "My model provider refuses my key, so I cannot answer right now. Whoever runs me can see why in the log. "
        "Your message is safe; I will answer when it works again."
    ),
    "model.unknown_model": (
        "My model provider does not know the model {model}, so I cannot answer right now. Whoever runs me can mend "
        "that. Your message is safe; I will answer when it works again."
    ),
    "model.rate_limit": (
        "The model {model} takes no more requests right now{when}. Your message is safe; I will answer when it does."
    ),
    "model.outage": "I cannot reach the model {model} right now. Your message is safe; I will answer when it is back.",
    "model.timeout": "The model {model} does not answer right now. Your message is safe; I will answer when it does.",
    "model.when": " and asks to try again in {seconds} s",
    "model.gone": "The model has been out of reach for a day, so I gave up on this. Please ask again later.",
    "working": "is working on it…",
    "sealed": "I cannot read your mail: it is encrypted, and I have no key. Please send it again without encryption.",
    "forged": (
        "A mail that claims to be from {sender} reached me, and I dropped it: {why}. If it was yours, your mail "
        "provider or my mailbox has to be set up better; if not, somebody tried to speak in your name."
    ),
    # sessions
    "fresh.idle": "(A fresh start: nothing was said here for {hours:g} h.)",
    "fresh.daily": "(A fresh start: a new day began at {at}.)",
    "fresh.back": "`/resume` goes back to “{title}”.",
    "choice.resume": "Resume",
    "keep.warning": "(The talk “{title}” ends in {minutes} min unless something is said.)",
    "keep.about": "keep the talk “{title}”",
    "choice.keep.keep": "Keep it",
    "choice.keep.end": "Let it end",
    "keep.kept": "“{title}” goes on.",
    "keep.ends": "It ends by itself.",
    "keep.over": "That talk has ended already; `/resume` goes back to it.",
    "continues": "continuing from {platform}, {ago} ago",
    "untitled": "without a title",
    "new": "A fresh start. What we said so far is closed.",
    "nothing_to_close": "Nothing to close: this is a fresh start already.",
    "sessions.now": "Now: {title}",
    "sessions.line": "{n}: {title}, {ago} ago",
    "sessions.none": "There is no earlier talk here yet.",
    "sessions.not_found": "Nothing here was called or said “{words}”.",
    "sessions.how": "`/resume N` goes back to one, `/sessions WORDS` searches.",
    "sessions.more": "{count} more; `/sessions WORDS` finds them.",
    "resumed": "Back to “{title}”; I know what we said there.",
    "resume.here": "We are in “{title}” already.",
    "resume.nothing": "There is no earlier talk to go back to.",
    "resume.unknown": "I find no earlier talk called “{title}”. `/sessions` lists them.",
    "resume.many": "That fits more than one:",
    "title.set": "This talk is called “{title}” now.",
    "title.is": "This talk is called “{title}”. `/title TEXT` changes that.",
    "title.nothing": "There is no talk to name yet; write something first.",
    # commands
    "unknown_command": "I don't know /{word}. Did you mean /{nearest}? /help lists what I can do.",
    "unknown_command.bare": "I don't know /{word}. /help lists what I can do.",
    "not_allowed": "/{word} needs the role {role}; you are {mine} here.",
    "help": "I am {name}. Write to me as you would to a person. These words do something special:\n\n{commands}",
    "whoami": "You are **{name}** to me, with the role {role}.\n\nAccounts: {accounts}\nTime zone: {timezone}",
    "whoami.group": "In this group you speak with the role {role}.",
    "stopped": "Stopped.",
    "stopped.placeholder": "(stopped)",
    "stopped.parts": "Stopped; the rest of the answer is withdrawn.",
    "stopped.queued": "Stopped. Withdrawn as well: {count} waiting message(s).",
    "nothing_to_stop": "Nothing is running.",
    "status": "{platforms}\n\nModel: {models}.\n\nWaiting: {waiting}. Running: {running}.{incidents}",
    "status.incident": "\nTrouble: {subject} since {minutes} min.",
    "status.group": "I am up. Details are for the direct talk.",
    "receipt.steer": "Noted. I take it in at my next step.",
    "receipt.followup": "Noted. I answer it after this one; waiting before it: {count}.",
    "receipt.collect": "Noted. I answer it together with what else you write until I am done.",
    "receipt.full": "I could not keep that: {most} messages of this talk wait already. Please send it again later.",
    "edit.offer": "You changed a message that I have answered. Shall I answer it again as it is now (`/retry {turn}`)?",
    "edit.again": "Answer again",
    "queue.is": "While I work on an answer: **{mode}**, {means}. Choose with `/queue MODE`: {modes}.",
    "queue.now": "From now on, while I work on an answer: **{mode}**, {means}.",
    "queue.unknown": "There is no mode {word}. There are: {modes}.",
    "queue.group": "In a group each message waits for its turn, for nobody shall steer the answer of another.",
    "queue.steer": "what you write joins it at my next step",
    "queue.followup": "what you write waits, and each message gets an answer of its own",
    "queue.collect": "what you write waits, and then gets one answer together",
    "queue.interrupt": "what you write stops it, and I start again with all you said",
    "retry.nothing": "There is nothing here that I could answer again.",
    "undone": "Forgotten: {count} exchange(s). They are kept for 7 days; until then `/undo back` brings them back.",
    "undo.back": "Bring back",
    "undo.is_back": "Back again: {count} exchange(s).",
    "undo.nothing": "There is nothing here to forget or to bring back.",
    "summary.retry": "answer the last message again",
    "summary.undo": "forget the last exchanges; a number may follow",
    "summary.queue": "what happens to what you write while I work",
    "approval.ask": (
        "May I use **{tool}** with this?{why}\n\n{call}\n\nAnswer with a button, or `/approve {id}` or `/deny {id}`,"
        " until {until}. No answer is a no."
    ),
    "approval.why.outside": (
        "\n\nThis talk holds words of others ({outside}), and they may be what wants it. If it is not what *you* want,"
        " say no."
    ),
    "approval.why.address": (
        "\n\nNobody gave me this address: you did not write it, no search found it and no page linked it. An address"
        " can carry away what I know."
    ),
    "approval.long": "… and {count} more characters: the file that comes with this has all of it.",
    "message.asked": "{name} asked me to tell you:",
    "approval.waits": "I am waiting for your word on **{tool}**: `/approve {id}` or `/deny {id}`.",
    "choice.call.once": "Once",
    "choice.call.session": "For this talk",
    "choice.call.always": "Always",
    "choice.call.no": "No",
    "approval.not_allowed": "Deciding about {tool} needs the role {role} or more.",
    "approval.elsewhere": (
        "A mail cannot allow this (`email.approvals` is off). Say `/approve {id}` on another platform;"
        " `/deny {id}` works by mail too."
    ),
    "approval.decided.once": "Allowed: {tool}, this once.",
    "approval.decided.session": "Allowed: {tool}, until this talk ends.",
    "approval.decided.always": "Allowed: {tool}, from now on. `/deny always` takes it back.",
    "approval.asked_again": "I ask again from now on: {tools}.",
    "approval.nothing_allowed": "Nothing is allowed for longer: I ask every time.",
    "approval.decided.no": "Not allowed: {tool}.",
    "summary.help": "what I can do",
    "summary.start": "what I can do",
    "summary.whoami": "who you are to me",
    "summary.sessions": "our talks here; words search in them",
    "summary.resume": "go back to an earlier talk, by number or title",
    "summary.title": "name this talk",
    "summary.new": "close this talk and start afresh; a title may follow",
    "summary.stop": "stop the answer that is being made, and what you queued",
    "summary.status": "how I am doing",
    "platforms.line": "- {name}: {state}, last heard {age} ago, {waiting} to be sent",
    "platforms.how": "`/platforms pause NAME` lets one stand still, `/platforms resume NAME` lets it go on.",
    "platforms.unknown": "There is no account {name} here. There are: {names}.",
    "platforms.paused": (
        "{name} stands still now: nothing comes in or goes out there, also after a restart. What people write waits on "
        "the platform as long as that keeps it. `/platforms resume {name}` lets it go on."
    ),
    "platforms.paused_here": (
        "{name} stands still now, and I cannot hear you here any more. `/platforms resume {name}` lets it go on, from "
        "another platform or from `dragoman chat` on my machine. What you write here waits as long as the platform "
        "keeps it."
    ),
    "platforms.paused_already": "{name} stands still already.",
    "platforms.resumed": "{name} goes on and catches up.",
    "platforms.runs": "{name} does not stand still; `/platforms` says how it is.",
    "summary.platforms": "how my connections are; pause or resume one",
    "restart": "I finish what is running and start again. Your messages wait meanwhile.",
    "summary.restart": "finish what is running and start again",
    "summary.pair": "join another account of yours with a code",
    # what waits for an answer
    "offer.none": "There is nothing called {id} that waits for an answer.",
    "offer.nothing": "Nothing waits for your answer.",
    "offer.list": "These wait for your answer; `/approve ID` or `/deny ID` gives it:\n\n{offers}",
    "offer.not_yours": "{id} is not yours to answer.",
    "offer.decided": "{id} has been answered already: {word}, by {name}.",
    "offer.expired": "{id} has expired; nothing was done.",
    "offer.words": "{id} can be answered with: {words}.",
    "summary.approve": "say yes to what waits for your answer",
    "summary.deny": "say no to what waits for your answer",
    # pairing
    "pair.welcome": "Welcome, {name}. You are {role} now. /help lists what I can do.",
    "pair.configured": "Your role is written in my configuration, and only there it is changed: you are {role}.",
    "pair.raised": "Done: you are {role} now.",
    "pair.known": "You are {role} here already; the code is still unused.",
    "pair.wrong": "That code is not valid (any more).",
    "pair.locked": "Too many wrong codes. Please try again in an hour.",
    "pair.no_owner": (
        "Nobody owns me yet. If you run me, make a code on my machine with `dragoman pair new --role owner` and send "
        "it here as `/pair CODE`."
    ),
    "pair.in_group": "Codes count in a direct talk only. This one is void now; please get a new one.",
    "pair.crowd": "Too many wrong codes came from accounts here that I do not know. Please try again in an hour.",
    "pair.direct": "Codes are for direct talks. Send me /pair there.",
    "pair.code": (
        "Send `/pair {code}` to me from your other account within ten minutes. I will ask you here before I join it. "
        "Show it to nobody: whoever sends it asks to be you."
    ),
    "request.told": (
        "I do not know you yet. Do you talk to me elsewhere? Send `/pair {code}` there. Otherwise the owner has been "
        "asked."
    ),
    "request.ask": (
        "{name} ({account}) writes to me and is unknown. Who is it? (`/approve {id}` or `/deny {id}` does as well.)"
    ),
    "request.me": "Then send `/pair CODE` here, with the code that I showed you there.",
    "request.known": "{name} has been let in meanwhile, as {role}.",
    "request.denied": "{name} is not let in and hears nothing more for a day.",
    "request.blocked": "{name} is blocked.",
    "request.admitted": "{name} is let in as {role}.",
    "choice.stranger.me": "It is me",
    "choice.stranger.user": "Admit as user",
    "choice.stranger.guest": "As guest",
    "choice.stranger.deny": "Deny",
    "choice.stranger.block": "Block",
    "link.ask": (
        "{name} on {platform} ({account}) wants to be one with you here: one talk, one memory, with the role {role}. "
        "Is that your account?"
    ),
    "link.ask_other": "{name} wants to be one person with you: one talk, one memory, both with the role {role}.",
    "link.asked_there": "I have asked where that code was made. Answer there, then we go on here.",
    "link.asked_other": "I ask the other side as well, for I know both of you.",
    "link.found": "I know that code. One question before I join the account:",
    "link.elsewhere": "That code is for your other account: send it to me from there.",
    "choice.link.join": "Join",
    "choice.link.apart": "Join, but keep talks apart",
    "choice.link.no": "No",
    "join.begun": "Joining; it is done as soon as nothing is running there.",
    "join.refused": "Nothing is joined.",
    "join.forgetting": "One of the two is about to be forgotten. `/forget cancel` there takes that back.",
    "join.gone": "That is not possible any more.",
    "join.same": "That account is yours already.",
    "join.blocked": "That account is blocked.",
    "join.configured": "That account is written in my configuration; whoever runs me has to join the entries there.",
    "join.other_way": (
        "An account of an owner or admin cannot be joined to another person. Send /pair from it, and that code from "
        "the other one."
    ),
    "join.config_role": (
        "Both are known, so the lower role would stay, but yours is written in my configuration. Take the other "
        "account off its person first (`dragoman people unlink`), then join it."
    ),
    "join.last_owner": (
        "Both are known, so the lower role would stay, and nobody would own me. Take the other account off its person "
        "first (`dragoman people unlink`), then join it."
    ),
    "join.done": "{name} on {platform} ({account}) is you now, with the role {role}. Not you? Undo works for a day.",
    "join.undoing": "I take it off again, as soon as nothing is running.",
    "join.undone": "Taken off again: {accounts}. The talk that was common is closed.",
    "choice.joined.undo": "Undo",
    # groups
    # what people may do about their data
    "export.done": "Everything that is stored about you, as JSON. Keep it as you keep a diary.",
    "export.too_large": (
        "This conversation takes no file of that size. `dragoman people export` on my machine makes it."
    ),
    "forget.how": (
        "`/forget WORDS` removes what I remember that holds them. `/forget everything` lets all that is stored about "
        "you go, a day later."
    ),
    "forget.begun": (
        "In {hours} h I forget you: {stored}. Until then `/export` hands it out, and `/forget cancel` takes this back. "
        "You will hear nothing when it is done."
    ),
    "forget.stays": "It stays as it is: everything goes when the time is over.",
    "forget.kept": "Nothing is forgotten.",
    "forget.nothing": "There is nothing to take back: nobody asked me to forget you.",
    "forget.last_owner": "You are my only owner. Make another one first: `dragoman pair new --role owner`.",
    "choice.forget.keep": "Keep it all",
    "summary.export": "everything that is stored about you, as a file",
    "summary.forget": "remove what I remember that holds some words, or everything about you",
    "group.added": "{who} added me to the group {group}. I am silent there until you say otherwise.",
    "group.was_added": "I was added to the group {group}. I am silent there until you say otherwise.",
    "group.allowed": "In {group} I answer whoever mentions me, with the role guest.",
    "group.leaving": "I leave {group}.",
    "group.stays": "I could not leave {group}, but I am silent there: {why}",
    "choice.group.allow": "Allow when mentioned",
    "choice.group.leave": "Leave",
    # what people say about themselves
    "direct_only": "That is for the direct talk with me.",
    "on_off": "Say `/{word} on` or `/{word} off`.",
    "timezone.is": "Your time zone is {zone}. `/timezone Europe/Rome` changes it.",
    "timezone.set": "Your time zone is {zone} now.",
    "timezone.unknown": "I know no time zone {zone}; they are called like Europe/Rome or America/New_York.",
    "home.set": "What I have to say without being asked comes here from now on.",
    "quiet.is": "Scheduled output is held back from {hours} in your time zone. `/quiet off` ends that.",
    "quiet.none": "Nothing is held back. `/quiet 22:00-07:00` sets quiet hours.",
    "quiet.unknown": "Quiet hours are written like `/quiet 22:00-07:00`.",
    "plain.on": "Plain from now on: answers come whole, without emoji receipts and tables.",
    "plain.off": "Not plain any more.",
    "apart.on": "This conversation has a talk of its own from now on.",
    "apart.off": "This conversation belongs to your common talk again.",
    "apart.same": "It is so already.",
    "apart.own": "Groups and topics have a talk of their own anyway.",
    "unpair.which": "Which account? Yours are {accounts}. Say `/unpair PLATFORM`.",
    "unpair.last": "That would leave you without an account. Whoever runs me can remove all I know about you.",
    "unpair.configured": "That account is written in my configuration; whoever runs me can take it out there.",
    "unpair.done": "Taken off: {accounts}. It is a stranger to me now.",
    "invite.role": "You can invite with a role up to {most}.",
    "invite.code": "`/pair {code}` sent to me in a direct talk makes whoever sends it {role}; once, within 24 hours.",
    "summary.unpair": "take one of your accounts off",
    "summary.apart": "let this conversation keep a talk of its own: on or off",
    "summary.timezone": "your time zone",
    "summary.home": "let what nobody asked for come here",
    "summary.quiet": "hours in which scheduled output is held back",
    "summary.plain": "plain answers: on or off",
    "summary.invite": "a code for somebody new; role and name may follow",
    "summary.people": "who is admitted",
    "owner.code": "Nobody owns me yet. Send me `/pair {code}` from your account, or open the link (good for an hour):",
    "owner.came": "{name} is the owner now.",
    # memory
    "memory.user": "**About you** ({used} of {limit} characters)",
    "memory.memory": "**Notes** ({used} of {limit} characters)",
    "memory.how": "`/forget WORDS` removes what holds these words. What I note stands before me from the next talk on.",
    "memory.nothing": "I remember nothing about you beyond what was said in our talks.",
    "forget.what": "Say which words: `/forget WORDS` removes what I remember that holds them.",
    "forget.no_words": "Nothing that I remember holds “{what}”. `/memory` shows all of it.",
    "forget.done": (
        "Forgotten:\n\n{entries}\n\nA talk that began before may still know it; `/new` starts a fresh one. What was "
        "said in talks stays there."
    ),
    "summary.memory": "what I remember about you",
    # what is used
    "usage.line": "{turns} answers, {input} tokens sent ({cached} of them cached), {output} received{cost}",
    "usage.talk": "This talk: {used}",
    "usage.today": "Today: {used}",
    "usage.month": "This month: {used}",
    "usage.job": "Of it for the job {job}: {used}",
    "usage.everybody": "This month, by person:",
    "usage.nothing": "Nothing was used yet.",
    "usage.limit.messages": "Answers today: {used} of {limit}",
    "usage.limit.tokens": "Tokens today: {used} of {limit}",
    "usage.limit.usd": "Cost this month: ${used} of ${limit}",
    "budget.nearly.messages": "You have had {used} of the {limit} answers that you may have today.",
    "budget.nearly.tokens": "You have used {used} of the {limit} tokens that you may use today.",
    "budget.nearly.usd": "You have used ${used} of the ${limit} that you may use this month.",
    "budget.reached.messages": "That was the last of your {limit} answers for today.",
    "budget.reached.tokens": "Your {limit} tokens for today are used up.",
    "budget.reached.usd": "Your ${limit} for this month are used up.",
    "budget.over.messages": "You have had your {limit} answers for today. From midnight I answer again.",
    "budget.over.tokens": "Your {limit} tokens for today are used up. From midnight I answer again.",
    "budget.over.usd": "Your ${limit} for this month are used up. From the first of the next month I answer again.",
    "summary.usage": "how many tokens were used, and your limits",
    # after an absence
    "away": "I was out of reach for {span}.",
    "away.came": "Came in meanwhile: {count} message(s) of yours, which I answer now.",
    "away.late": "Not answered, being too old or too many: {count} message(s) of yours; send again what counts.",
    "away.resumed": "What I still owed you goes on: {count} message(s).",
    "span.days": "{days} d {hours} h",
    "span.hours": "{hours} h {minutes} min",
    # notices to the owner
    "undelivered": "A message to {conversation} could not be delivered: {why}. See `dragoman outbox show {id}`.",
    "model.lasting": (
        "The model {model} has left {turns} tries in a row without an answer for {minutes} min: {why}. Messages wait; "
        "`dragoman status` shows how many."
    ),
    "model.over": "The model {model} answers again after {minutes} min.",
    "degraded": "{line} has been in trouble for {minutes} min: {why}. I keep trying.",
    "recovered": "{line} is back after {minutes} min of trouble: {why}.",
    "room": "I am running out of room: {why}. `dragoman status` shows what takes it.",
    "taken_over": (
        "I was restored from my backup of {when}. {deliveries} messages of mine that waited then may have been sent "
        "since, and {messages} to me may have been answered: I repeat neither by myself. `dragoman outbox list` and "
        "`dragoman inbox list` show them."
    ),
    "resent": "(sent again by hand)",
}
