import { Button } from '@site/ui/button';
import { LiveRegion, Notice } from '@site/ui/notice';
import { useState, type RefObject } from 'react';
import { Modal } from '../parts/modal.tsx';
import type { ActionOutcome, ConsoleAction } from './action.ts';
import { Progress } from './progress.tsx';
import { ReasonField, reasonText, type ChosenReason } from './reason-field.tsx';
import { Secret } from './secret.tsx';
import styles from './action-dialog.module.css';
import { useAction, type ActionState } from './use-action.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { count, counted } from '../parts/text.ts';

const OUTCOME_UNKNOWN = 'It is unknown whether the change was made.';

const MOST_ABOUT = 5;

interface ActionDialogProps {
  action: ConsoleAction;
  /** Resolves when the views include the user's last change. */
  ownChange: RefObject<Promise<unknown>>;
  onClose: () => void;
}

export function ActionDialog({ action, ownChange, onClose }: ActionDialogProps) {
  const { state, confirm, repeat, lookAgain, markSeen } = useAction(action, ownChange);
  const [chosen, setChosen] = useState<ChosenReason>({ choice: '', text: '' });
  return (
    <Modal title={action.title} onClose={onClose}>
      {state.meanwhile !== null && (
        <Notice tone="error" title={state.meanwhile}>
          <p>The new plan is below.</p>
          <Button size="small" onClick={markSeen}>
            I have seen it
          </Button>
        </Notice>
      )}
      {state.isOutcomeUnknown && (state.step === 'ready' || state.step === 'refused') && (
        <Notice tone="error" title={OUTCOME_UNKNOWN}>
          <p>
            A response was lost, and the registry may still be processing the request. Check the timeline and
            the audit log before you start it again. Sending the same request again makes the change at most
            once.
          </p>
          <Button size="small" onClick={() => void repeat()}>
            Send the same request again
          </Button>
        </Notice>
      )}
      <LiveRegion>
        <Announced state={state} />
      </LiveRegion>
      {state.step === 'ready' && (
        <Order
          action={action}
          plan={state.plan}
          isSeen={state.meanwhile === null}
          chosen={chosen}
          onChoose={setChosen}
          onConfirm={confirm}
        />
      )}
      {state.step === 'refused' && (
        <>
          <Notice
            tone="error"
            title={state.isOutcomeUnknown ? 'The last attempt was rejected.' : 'Nothing was changed.'}
          >
            <p>{state.error.message}</p>
          </Notice>
          <Button onClick={lookAgain}>Look again</Button>
        </>
      )}
      {state.step === 'done' && (
        <Done outcome={state.outcome} startedAt={state.startedAt} onClose={onClose} />
      )}
    </Modal>
  );
}

function Announced({ state }: { state: ActionState }) {
  if (state.step === 'looking') return <p>Checking the effect …</p>;
  if (state.step !== 'sending') return null;
  if (state.againMs === null) return <p>The registry is working …</p>;
  return (
    <Notice title={`No response yet. ${OUTCOME_UNKNOWN}`}>
      <p>
        {`Trying again in ${Math.ceil(state.againMs / 1000)} s with the same request, so that it is ` +
          'made only once. If you close this, check the timeline.'}
      </p>
    </Notice>
  );
}

interface OrderProps {
  action: ConsoleAction;
  plan: ActionOutcome;
  isSeen: boolean;
  chosen: ChosenReason;
  onChoose: (chosen: ChosenReason) => void;
  onConfirm: (reason: string) => Promise<void>;
}

function Order({ action, plan, isSeen, chosen, onChoose, onConfirm }: OrderProps) {
  const reason = action.reasons === null ? 'made in the console' : reasonText(chosen);
  const missing = missingInput(plan, isSeen, reason);
  return (
    <>
      <section aria-label="Planned change" className={styles.plan}>
        <h3 className={styles.heading}>{plan.changed ? 'Planned change' : 'Nothing to do'}</h3>
        <ul className={styles.lines}>
          {plan.lines.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
        {action.about?.slice(0, MOST_ABOUT).map((each) => (
          <About key={each.app} {...each} />
        ))}
      </section>
      {action.reasons !== null && plan.changed && (
        <ReasonField reasons={action.reasons} chosen={chosen} onChange={onChoose} />
      )}
      <div className={styles.confirm}>
        <Button
          variant="primary"
          aria-disabled={missing !== null || undefined}
          aria-describedby="confirm-missing"
          onClick={() => {
            if (missing === null) void onConfirm(reason);
          }}
        >
          {action.confirm}
        </Button>
        <p id="confirm-missing" className={styles.missing}>
          {missing}
        </p>
      </div>
    </>
  );
}

function missingInput(plan: ActionOutcome, isSeen: boolean, reason: string): string | null {
  if (!plan.changed) return 'Nothing to change.';
  if (!isSeen) return 'Review the changes first.';
  return reason === '' ? 'Give a reason first.' : null;
}

function Done({
  outcome,
  startedAt,
  onClose,
}: {
  outcome: ActionOutcome;
  startedAt: number;
  onClose: () => void;
}) {
  return (
    <>
      <LiveRegion>
        <Notice
          tone="success"
          title={outcome.changed ? `${outcome.says}.` : `Nothing to do: ${outcome.says}.`}
        >
          <ul className={styles.lines}>
            {outcome.lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        </Notice>
      </LiveRegion>
      {outcome.secret && <Secret {...outcome.secret} />}
      {outcome.goal && <Progress goal={outcome.goal} startedAt={startedAt} />}
      <Button onClick={onClose}>Close</Button>
    </>
  );
}

const SHOWN_PAGES = 6;
const LAST_HOUR_MINUTES = 60;

function About({ app, version }: { app: string; version: string }) {
  const { channel } = useConsole();
  const manifest = useRead('readVersion', { params: { app, version } }).data;
  const health = useRead('readHealth', {
    params: { channel },
    query: { app, versions: version, minutes: LAST_HOUR_MINUTES },
  }).data;
  const pages = manifest?.kind === 'remote' ? manifest.pages.map(({ path }) => path) : null;
  const views = health?.rows.reduce((sum, row) => sum + row.views, 0);
  return (
    <ul className={styles.lines}>
      {manifest && <li>{pages === null ? 'it is the shell: every page' : pagesText(pages)}</li>}
      {views !== undefined && (
        <li>
          {views === 0
            ? `no visitors of ${version} in the last hour`
            : `${count(views)} page views with ${version} in the last hour`}
        </li>
      )}
    </ul>
  );
}

function pagesText(pages: readonly string[]): string {
  const rest = pages.length - SHOWN_PAGES;
  const named = pages.slice(0, SHOWN_PAGES).join(', ');
  return `${counted(pages.length, 'page')}: ${named}${rest > 0 ? ` and ${rest} more` : ''}`;
}
