import type { Session } from '@site/contract/registry-calls/session.calls';
import { Button } from '@site/ui/button';
import { Notice } from '@site/ui/notice';
import { useCallback, useEffect, useState } from 'react';
import { CallError, messageOf } from './data/call-error.ts';
import { signIn, whoIsSignedIn } from './data/session.ts';
import { SignedIn } from './signed-in.tsx';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in.module.css';

type Who =
  | { is: 'asking' }
  /** `because`: why somebody who was signed in is no longer, or could not be. */
  | { is: 'out'; because: string | null }
  | { is: 'in'; session: Session }
  | { is: 'unknown'; problem: string };

/** @param code of the one-click link that was opened, if one was. */
export function App({ code }: { code: string | null }) {
  const [who, setWho] = useState<Who>({ is: 'asking' });
  const [round, setRound] = useState(0);

  useEffect(() => {
    let isOver = false;
    // A code is good once: what is asked again is only whether it has signed somebody in.
    void whoIsThere(round === 0 ? code : null).then((found) => {
      if (!isOver) setWho(found);
    });
    return () => {
      isOver = true;
    };
  }, [code, round]);

  const signedOut = useCallback((because: string | null) => setWho({ is: 'out', because }), []);
  if (who.is === 'in') {
    return <SignedIn key={who.session.tokenId} session={who.session} onSignedOut={signedOut} />;
  }
  if (who.is === 'out')
    return <SignIn because={who.because} onSignedIn={(session) => setWho({ is: 'in', session })} />;
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>Console</h1>
      {who.is === 'asking' ? (
        <p role="status">Asking who you are …</p>
      ) : (
        <>
          <Notice tone="error" title={who.problem} />
          <Button onClick={() => setRound((rounds) => rounds + 1)}>Try again</Button>
        </>
      )}
    </main>
  );
}

/** One exchange for each code, whoever asks twice. */
const exchanges = new Map<string, Promise<Session>>();

function exchange(code: string): Promise<Session> {
  const made = exchanges.get(code) ?? signIn({ code });
  exchanges.set(code, made);
  return made;
}

async function whoIsThere(code: string | null): Promise<Who> {
  try {
    const session = code === null ? await whoIsSignedIn() : await exchange(code);
    return session ? { is: 'in', session } : { is: 'out', because: null };
  } catch (error) {
    if (error instanceof CallError && error.failure === 'no-answer')
      return { is: 'unknown', problem: error.message };
    return { is: 'out', because: code === null ? null : messageOf(error) };
  }
}
