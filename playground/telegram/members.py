"""Members of chats as JSON: each standing has members of its own."""

from playground.telegram.wire import user_wire
from playground.telegram.world import User, Wire

ADMIN_RIGHTS = (
    "can_be_edited", "can_manage_chat", "can_change_info", "can_delete_messages", "can_invite_users",
    "can_restrict_members", "can_pin_messages", "can_promote_members", "can_manage_video_chats",
    "can_post_stories", "can_edit_stories", "can_delete_stories", "can_manage_topics",
)  # fmt: skip
MEMBER_RIGHTS = (
    "can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos",
    "can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages",
    "can_add_web_page_previews", "can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics",
)  # fmt: skip
UNKNOWN_TO_API = {"blocked": "kicked", "never": "left", "migrated": "left", "deleted": "left"}


def member_wire(user: User, status: str) -> Wire:
    """Give a `ChatMember` object."""
    status = UNKNOWN_TO_API.get(status, status)
    body: Wire = {"user": user_wire(user), "status": status}
    if status == "administrator":
        body.update(dict.fromkeys(ADMIN_RIGHTS, True), is_anonymous=False)
    elif status == "creator":
        body["is_anonymous"] = False
    elif status == "kicked":
        body["until_date"] = 0
    elif status == "restricted":
        body.update(dict.fromkeys(MEMBER_RIGHTS, False), is_member=True, until_date=0)
    return body
