"""Take back what one origin wrote in a time, and give it back: reversible, unlike forgetting (proof 26)."""

from evolution.withdrawal.lifecycle import Withdrawal, revert_withdrawal, withdraw
from evolution.withdrawal.plan import NothingWritten, TooMuchWritten, WithdrawalScope

__all__ = [
    "NothingWritten",
    "TooMuchWritten",
    "Withdrawal",
    "WithdrawalScope",
    "revert_withdrawal",
    "withdraw",
]
