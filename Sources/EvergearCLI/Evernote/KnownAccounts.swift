import EDAM
import HTTP
import Synchronization

/// What has been heard of accounts in this run, for all threads: nothing is asked twice.
final class KnownAccounts: Sendable {
    final class Account: Sendable {
        let noteStore = Mutex<WebAddress?>(nil)
        let standing = Mutex<AccountStanding?>(nil)
        /// Bytes of notes that are on their way, and do not count as uploaded yet.
        let reserved = Mutex<Int64>(0)
        let notebooks = Mutex<[NotebookName]?>(nil)
    }

    private let accounts = Mutex<[Service: Account]>([:])

    /// For a run that stays: notebooks come and go, and a new token may be another account's.
    func forgetWhatMayChange() {
        for account in accounts.withLock({ Array($0.values) }) {
            account.noteStore.withLock { $0 = nil }
            account.notebooks.withLock { $0 = nil }
        }
    }

    func account(_ service: Service) -> Account {
        accounts.withLock { accounts in
            let account = accounts[service] ?? Account()
            accounts[service] = account
            return account
        }
    }
}
