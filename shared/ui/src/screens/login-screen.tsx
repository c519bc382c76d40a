import { highlight } from '../highlight.ts';
import { Screen, type ScreenProps } from './screen.tsx';
import styles from './screen.module.css';

export interface LoginScreenProps extends Omit<ScreenProps, 'children'> {
  app: string;
  /** The form's call with the response's status line, headers and body. Omit it next to a code sample. */
  call?: { request: string; status: string; response: string };
}

export function LoginScreen({ app, call, ...screen }: LoginScreenProps) {
  return (
    <Screen hue="signal" {...screen}>
      <div className={call && styles.login}>
        <div className={styles.form}>
          <span className={styles.formTitle}>Log in to {app}</span>
          <span className={styles.field}>
            Email
            <span className={styles.value}>ana@example.com</span>
          </span>
          <span className={styles.field}>
            Password
            <span className={`${styles.value} ${styles.secret}`}>··········</span>
          </span>
          <span className={styles.press}>Log in</span>
        </div>
        {call && (
          <div className={`blueprint ${styles.code}`}>
            <Code text={call.request} />
            <div className={styles.answer}>
              <Code text={call.response} status={call.status} />
            </div>
          </div>
        )}
      </div>
    </Screen>
  );
}

function Code({ text, status }: { text: string; status?: string }) {
  return (
    <pre>
      {status && <span className={styles.ok}>{`${status}\n`}</span>}
      {highlight(text).map(({ kind, text: part }, index) => (
        <span key={index} className={styles[kind]}>
          {part}
        </span>
      ))}
    </pre>
  );
}
