"""x."""
import typer
def add(app: typer.Typer) -> None:
    """x."""
    def chat() -> None:
        """Talk."""
    app.command("chat")(chat)
