import type { Session } from '@site/contract/registry-calls/session.calls';
import { Button } from '@site/ui/button';
import { Notice } from '@site/ui/notice';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError, messageOf } from './data/call-error.ts';
import { signIn, whoIsSignedIn } from './data/session.ts';
import { SignedIn } from './signed-in.tsx';
import { SignIn, type Because } from './sign-in.tsx';
import styles from './sign-in.module.css';

type Who =
  | { is: 'asking' }
  | { is: 'out'; because: Because | null }
  | { is: 'in'; session: Session }
  | { is: 'unknown'; problem: string };

/** @param code of the one-click link that was opened, if one was. */
export function App({ code }: { code: string | null }) {
  const [who, setWho] = useState<Who>({ is: 'asking' });
  const [round, setRound] = useState(0);
  const current = useRef(who);
  useEffect(() => {
    current.current = who;
  });

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

  useEffect(() => {
    // Another tab may have signed somebody else in: what is done here would be done in their name.
    const look = () => {
      if (document.hidden) return;
      const before = current.current;
      whoIsSignedIn().then(
        (session) =>
          session && setWho((now) => (now === before && isOther(session, now) ? { is: 'in', session } : now)),
        // The view itself says when nothing answers.
        () => {},
      );
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
    };
  }, []);

  const signedOut = useCallback((ended: Session, because: string | null) => {
    setWho((now) => {
      // An answer that was long on its way says nothing of who has signed in since.
      if (now.is === 'in' ? now.session !== ended : because !== null) return now;
      return {
        is: 'out',
        because: because === null ? null : { title: 'You are signed out.', text: because },
      };
    });
  }, []);
  if (who.is === 'in') {
    return <SignedIn key={who.session.tokenId} session={who.session} onSignedOut={signedOut} />;
  }
  if (who.is === 'out')
    return <SignIn because={who.because} onSignedIn={(session) => setWho({ is: 'in', session })} />;
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>Console</h1>
      {who.is === 'asking' ? (
        <p role="status">Checking who you are …</p>
      ) : (
        <>
          <Notice tone="error" title={who.problem} />
          <Button onClick={() => setRound((rounds) => rounds + 1)}>Try again</Button>
        </>
      )}
    </main>
  );
}

/** One exchange for each code, however often it is asked for. */
const exchanges = new Map<string, Promise<Session>>();

function exchange(code: string): Promise<Session> {
  const made = exchanges.get(code) ?? signIn({ code });
  exchanges.set(code, made);
  return made;
}

async function whoIsThere(code: string | null): Promise<Who> {
  let because: Because | null = null;
  try {
    if (code !== null) return { is: 'in', session: await exchange(code) };
  } catch (error) {
    if (isUnanswered(error)) return { is: 'unknown', problem: error.message };
    because = { title: 'The link did not sign you in.', text: messageOf(error) };
  }
  try {
    // Who opens a link for the second time may be signed in by the first.
    const session = await whoIsSignedIn();
    return session ? { is: 'in', session } : { is: 'out', because };
  } catch (error) {
    return isUnanswered(error) ? { is: 'unknown', problem: error.message } : { is: 'out', because };
  }
}

const isUnanswered = (error: unknown): error is CallError =>
  error instanceof CallError && error.failure === 'no-answer';

/** Whether it is a different session from the one that we show. While we are still asking, the answer decides. */
const isOther = ({ tokenId }: Session, who: Who) =>
  who.is === 'in' ? who.session.tokenId !== tokenId : who.is === 'out';
