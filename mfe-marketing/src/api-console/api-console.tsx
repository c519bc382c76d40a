import { useState } from 'react';
import { useSiteConfig } from '@site/kit';
import { Button } from '@site/ui/button';
import { CodeSample } from '@site/ui/code-sample';
import { LiveRegion } from '@site/ui/notice';
import { ToggleGroup } from '@site/ui/toggle-group';
import {
  apiCalls,
  recordedResponse,
  sampleLanguages,
  callSample,
  type CallName,
  type ConsoleGuest,
  type SampleLanguage,
} from './api-calls.ts';
import { runCall, type ApiResponse, type CallResult } from './run-call.ts';
import styles from './api-console.module.css';

const statusTexts: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

export default function ApiConsole() {
  const { gateway } = useSiteConfig();
  const [name, setName] = useState<CallName>('create');
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const [guest, setGuest] = useState<ConsoleGuest | null>(null);
  const [result, setResult] = useState<CallResult | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [isBlocked, setIsBlocked] = useState(false);

  const run = async () => {
    if (isRunning || isBlocked) return;
    setIsRunning(true);
    const next = await runCall(name, gateway, guest);
    setGuest(next.guest);
    setResult(next);
    setIsRunning(false);
    if (next.retryAfter === null) return;
    setIsBlocked(true);
    setTimeout(() => setIsBlocked(false), next.retryAfter * 1000);
  };

  const shown = result ? result.response : recordedResponse;
  const title = apiCalls.find((call) => call.name === name)?.title ?? '';
  return (
    <div className={`blueprint ${styles.console}`}>
      <fieldset className={styles.calls}>
        <legend className="visually-hidden">Call</legend>
        {apiCalls.map((call, index) => (
          <label key={call.name} className={styles.call}>
            <input
              type="radio"
              name="api-call"
              value={call.name}
              checked={call.name === name}
              onChange={() => setName(call.name)}
            />
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <span className={styles.callText}>
              <b>{call.title}</b>
              <code>
                {call.method} {call.path}
              </code>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={styles.request}>
        <div className={styles.bar}>
          <ToggleGroup
            label="Language of the request"
            value={language}
            options={sampleLanguages}
            onChange={setLanguage}
          />
          {gateway.base && (
            <Button
              variant="primary"
              size="small"
              icon="arrow-right"
              className={styles.run}
              aria-disabled={isRunning || isBlocked}
              onClick={() => void run()}
            >
              {isRunning ? 'Running' : 'Run'}
            </Button>
          )}
        </div>
        <CodeSample
          title={`${title}, ${sampleLanguages.find(({ value }) => value === language)?.label ?? ''}`}
          code={callSample(name, language, gateway, guest)}
        />
      </div>
      <div className={styles.response}>
        <div className={styles.bar}>
          <LiveRegion className={styles.status}>
            <Status result={result} />
          </LiveRegion>
        </div>
        {shown ? (
          <CodeSample title={result ? 'Response' : 'Recorded response'} code={responseText(shown)} />
        ) : (
          <p className={styles.none}>
            The request didn’t reach the gateway. Check your connection, then run it again.
          </p>
        )}
      </div>
    </div>
  );
}

function Status({ result }: { result: CallResult | null }) {
  if (!result) {
    return (
      <span className={styles.recorded}>
        Recorded earlier<span className={styles.live}>. Run it for a live response.</span>
      </span>
    );
  }
  const { call, response, retryAfter } = result;
  if (!response) return <b className={styles.bad}>{navigator.onLine ? 'No response' : 'You’re offline'}</b>;
  const { method, path } = apiCalls.find(({ name }) => name === call) ?? apiCalls[0];
  return (
    <>
      <b className={response.status < 400 ? styles.good : styles.bad}>
        {response.status} {statusTexts[response.status] ?? ''}
      </b>{' '}
      <span>{response.ms} ms</span>{' '}
      <span className={styles.sent}>
        {retryAfter === null ? `${method} ${path}` : `Try again in ${retryAfter} s`}
      </span>
    </>
  );
}

function responseText({ status, type, token, body }: ApiResponse): string {
  const head = [
    `HTTP ${status} ${statusTexts[status] ?? ''}`.trim(),
    `Content-Type: ${type}`,
    ...(token ? [`company-token: ${token.slice(0, 24)}…`] : []),
  ];
  return `${head.join('\n')}\n\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`;
}
