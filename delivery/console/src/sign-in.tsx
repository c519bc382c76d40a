import type { Session } from '@site/contract/registry-calls/session.calls';
import { typedText } from '@site/contract/typed-text';
import { Button } from '@site/ui/button';
import { Notice } from '@site/ui/notice';
import { TextField } from '@site/ui/text-field';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { errorMessage } from './data/call-error.ts';
import { signIn } from './data/session.ts';
import styles from './sign-in.module.css';

export interface Because {
  title: string;
  text: string;
}

interface SignInProps {
  because: Because | null;
  onSignedIn: (session: Session) => void;
}

export function SignIn({ because, onSignedIn }: SignInProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    document.title = 'Sign in – Console';
  }, []);

  async function submit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const given = new FormData(event.currentTarget).get('token');
    const token = typeof given === 'string' ? typedText(given) : '';
    if (token === '') {
      setProblem('Enter a token.');
      return;
    }
    setSending(true);
    setProblem(null);
    try {
      onSignedIn(await signIn({ token }));
    } catch (error) {
      setProblem(errorMessage(error));
      setSending(false);
    }
  }

  return (
    <main className={styles.page}>
      <h1 className={styles.title}>Console</h1>
      {because !== null && (
        <Notice tone="error" title={because.title}>
          <p>{because.text}</p>
        </Notice>
      )}
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label="Token"
          name="token"
          type="password"
          autoComplete="current-password"
          hint="You stay signed in in this browser until you sign out, for at most 12 hours."
          error={problem}
        />
        <Button type="submit" variant="primary" aria-disabled={isSending || undefined}>
          {isSending ? 'Signing in …' : 'Sign in'}
        </Button>
      </form>
      <p className={styles.hint}>
        On the registry&rsquo;s own machine <code>npx @site/cli console</code> prints a link that signs you
        in.
      </p>
    </main>
  );
}
