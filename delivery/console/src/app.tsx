import type { Session } from '@site/contract/registry-calls/session.calls';
import { SectionBoundary } from '@site/kit/host';
import { Button } from '@site/ui/button';
import { Notice } from '@site/ui/notice';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isUnanswered, errorMessage } from './data/call-error.ts';
import { signIn, whoIsSignedIn } from './data/session.ts';
import { SignedIn } from './signed-in.tsx';
import { SignIn, type Because } from './sign-in.tsx';
import styles from './sign-in.module.css';

type Who =
  | { is: 'asking' }
  | { is: 'out'; because: Because | null }
  | { is: 'in'; session: Session }
  | { is: 'unknown'; problem: string };

export function App({ code }: { code: string | null }) {
  return (
    <SectionBoundary fallback={<Failed />}>
      <Console code={code} />
    </SectionBoundary>
  );
}

function Failed() {
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>Console</h1>
      <Notice tone="error" title="The console failed. This is a bug in the console, not in the site." />
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  );
}

function Console({ code }: { code: string | null }) {
  const [who, setWho] = useState<Who>({ is: 'asking' });
  const [round, setRound] = useState(0);
  const current = useRef(who);
  useEffect(() => {
    current.current = who;
  });

  useEffect(() => {
    let isOver = false;
    // A code works once: later rounds only check for the resulting session.
    void findSession(round === 0 ? code : null).then((found) => {
      if (!isOver) setWho(found);
    });
    return () => {
      isOver = true;
    };
  }, [code, round]);

  useEffect(() => {
    // Another tab may have signed in as someone else, whose name our changes would get.
    const look = () => {
      if (document.hidden) return;
      const before = current.current;
      whoIsSignedIn().then(
        (session) =>
          session && setWho((now) => (now === before && isOther(session, now) ? { is: 'in', session } : now)),
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
      // A late response must not replace a newer session.
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

const exchanges = new Map<string, Promise<Session>>();

function exchange(code: string): Promise<Session> {
  const made = exchanges.get(code) ?? signIn({ code });
  exchanges.set(code, made);
  return made;
}

async function findSession(code: string | null): Promise<Who> {
  let because: Because | null = null;
  try {
    if (code !== null) return { is: 'in', session: await exchange(code) };
  } catch (error) {
    if (isUnanswered(error)) return { is: 'unknown', problem: error.message };
    because = { title: 'The link did not sign you in.', text: errorMessage(error) };
  }
  try {
    // The link's first use may have signed this browser in.
    const session = await whoIsSignedIn();
    return session ? { is: 'in', session } : { is: 'out', because };
  } catch (error) {
    return isUnanswered(error) ? { is: 'unknown', problem: error.message } : { is: 'out', because };
  }
}

const isOther = ({ tokenId }: Session, who: Who) =>
  who.is === 'in' ? who.session.tokenId !== tokenId : who.is === 'out';
