/** The tables of the console. `docs/decisions/0035-console-as-a-client.md`. */
export interface ConsoleTables {
  console_sessions: ConsoleSessionsTable;
  console_links: ConsoleLinksTable;
}

/** Who is signed in to the console. */
interface ConsoleSessionsTable {
  /** SHA-256, in hex, of the random id in the cookie. */
  hash: string;
  /** The token that was signed in with: the session dies with it. */
  token_id: string;
  created_at: Date;
  expires_at: Date;
}

/** Links into the console that nobody has opened yet. */
interface ConsoleLinksTable {
  /** SHA-256, in hex, of the code in the link. */
  hash: string;
  token_id: string;
  expires_at: Date;
  /** When the session ends that it opens. */
  session_ends_at: Date;
}
