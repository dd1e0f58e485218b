"""What people read about pictures, voices and documents, in every language."""

SENTENCES: dict[str, dict[str, str]] = {
    "en": {
        "pictures.unseen": (
            "I cannot look at pictures with the model that is set up here: I see only their names and sizes."
        ),
    },
    "de": {
        "pictures.unseen": (
            "Mit dem Modell, das hier eingestellt ist, kann ich keine Bilder ansehen: Ich sehe nur Namen und Größe."
        ),
    },
    "es": {
        "pictures.unseen": (
            "Con el modelo que está configurado aquí no puedo ver imágenes: solo veo su nombre y su tamaño."
        ),
    },
    "fr": {
        "pictures.unseen": (
            "Avec le modèle réglé ici, je ne peux pas regarder les images : je n’en vois que le nom et la taille."
        ),
    },
    "it": {
        "pictures.unseen": (
            "Con il modello impostato qui non posso guardare le immagini: ne vedo solo nome e dimensione."
        ),
    },
    "pt": {
        "pictures.unseen": ("Com o modelo configurado aqui não consigo ver imagens: vejo apenas o nome e o tamanho."),
    },
}
