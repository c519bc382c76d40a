/** The tables of the console. `docs/decisions/0035-console-as-a-client.md`. */
export interface ConsoleTables {
  console_sessions: ConsoleSessionsTable;
  console_links: ConsoleLinksTable;
}

interface ConsoleSessionsTable {
  /** SHA-256, in hex, of the random id in the cookie. */
  hash: string;
  /** The token used to sign in: the session ends with it. */
  token_id: string;
  created_at: Date;
  expires_at: Date;
}

interface ConsoleLinksTable {
  /** SHA-256, in hex, of the code in the link. */
  hash: string;
  token_id: string;
  expires_at: Date;
  session_ends_at: Date;
}
