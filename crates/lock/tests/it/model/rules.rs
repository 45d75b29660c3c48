//! What the scripts, the leases and the resource do, each in a few lines.

use super::{
    GuardRail, Protocol,
    system::{Client, Held, LEASE, Message, Phase, System, USABLE, Word},
};

impl Protocol {
    fn keeps(&self, rail: GuardRail) -> bool {
        self.without != Some(rail)
    }

    /// What a message does where it arrives.
    pub(super) fn deliver(&self, system: &mut System, message: Message) {
        match message.word.is_request() {
            true => self.serve(system, message),
            false => self.handle_reply(&mut system.clients[message.client], message.word),
        }
    }

    /// What the scripts do.
    fn serve(&self, system: &mut System, request: Message) {
        let client = request.client;
        let mine = system.lock.is_some_and(|held| held.owner == client);
        let allowed = mine || !self.keeps(GuardRail::OwnerIsChecked);
        let word = match request.word {
            Word::Acquire => self.acquire(system, client),
            Word::Renew => {
                if let Some(held) = system.lock.as_mut().filter(|_| allowed) {
                    held.ticks_left = LEASE;
                }
                Word::Renewed(allowed)
            }
            _ => {
                if allowed {
                    system.lock = None;
                }
                system.ended[client] = true;
                Word::Released
            }
        };
        // A reply that no client waits for is not sent.
        if request.awaited && system.clients[client].phase != Phase::Crashed {
            system.send(Message { word, ..request });
        }
    }

    fn acquire(&self, system: &mut System, client: usize) -> Word {
        match &mut system.lock {
            Some(held) if held.owner == client => {
                held.ticks_left = LEASE;
                Word::Granted(held.fence)
            }
            Some(_) => Word::Refused,
            None if system.ended[client] && self.keeps(GuardRail::EndIsRemembered) => Word::Refused,
            None => {
                system.last_fence += u8::from(self.keeps(GuardRail::FenceGrows));
                system.lock = Some(Held {
                    owner: client,
                    fence: system.last_fence,
                    ticks_left: LEASE,
                });
                Word::Granted(system.last_fence)
            }
        }
    }

    /// What a client does with an answer.
    fn handle_reply(&self, client: &mut Client, answer: Word) {
        let age = match self.keeps(GuardRail::DeadlineFromSending) {
            true => client.age,
            false => 0,
        };
        let usable = USABLE.saturating_sub(age);
        client.age = 0;
        match (answer, client.phase) {
            (Word::Granted(fence), Phase::Asking) => {
                client.fence = fence;
                client.served = true;
                client.hold(usable);
            }
            (Word::Refused, Phase::Asking) => client.phase = Phase::Waiting,
            (Word::Renewed(true), Phase::Holding) => client.hold(client.usable.max(usable)),
            (Word::Renewed(false), Phase::Holding) => client.phase = Phase::Lost,
            (Word::Released, Phase::Releasing) => client.phase = Phase::Done,
            // It went on in the meantime.
            _ => {}
        }
    }

    /// What the resource does.
    pub(super) fn write(&self, system: &mut System, client: usize) {
        let fence = system.clients[client].fence;
        if fence >= system.register || !self.keeps(GuardRail::FenceIsChecked) {
            system.stale_write |= fence < system.register;
            system.register = fence;
        }
        system.clients[client].wrote = true;
    }
}
