"""English, for pictures, voices and documents."""

FILES = {
    "too_large": "{name} is larger than {limit} MB, which is the most I can fetch here. Can you send a smaller one?",
    "pictures.unseen": (
        "I cannot look at pictures with the model that is set up here: I see only their names and sizes."
    ),
    "voice.heard": "🎤 “{words}”",
    "voice.unheard": "I cannot listen to voice messages: no transcription is set up here. Please write it to me.",
    "voice.misheard": "I could not understand {name}. Please write it to me, or send it again later.",
    "summary.voice": "hear the answers as well: on or off",
    "voice.on": "From now on you get my answers as voice messages as well, in your direct talks.",
    "voice.off": "Only written answers from now on.",
    "voice.mute": "I cannot speak here: no voice is set up (`agent.speech`). Whoever runs me can do that.",
}
