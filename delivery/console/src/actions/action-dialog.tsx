import { Button } from '@site/ui/button';
import { LiveRegion, Notice } from '@site/ui/notice';
import { useState, type RefObject } from 'react';
import { Modal } from '../parts/modal.tsx';
import { About } from './about.tsx';
import type { ActionOutcome, ConsoleAction } from './action.ts';
import { Progress } from './progress.tsx';
import { ReasonField, reasonOf, type ChosenReason } from './reason-field.tsx';
import { Secret } from './secret.tsx';
import styles from './action-dialog.module.css';
import { useAction, type ActionState } from './use-action.ts';

const OUTCOME_UNKNOWN = 'It is not known whether the change was made.';

/** A canary of more apps than this is shown by its changes alone. */
const MOST_ABOUT = 5;

interface ActionDialogProps {
  action: ConsoleAction;
  /** Until when the views below are older than what this person changed last. */
  ownChange: RefObject<Promise<unknown>>;
  onClose: () => void;
}

/** One action: what will happen, why, one confirmation that names it, and how it arrives at the edges. */
export function ActionDialog({ action, ownChange, onClose }: ActionDialogProps) {
  const { state, confirm, repeat, lookAgain, markSeen } = useAction(action, ownChange);
  const [chosen, setChosen] = useState<ChosenReason>({ choice: '', text: '' });
  return (
    <Modal title={action.title} onClose={onClose}>
      {state.meanwhile !== null && (
        <Notice tone="error" title={state.meanwhile}>
          <p>Below is what would happen now.</p>
          <Button size="small" onClick={markSeen}>
            I have seen it
          </Button>
        </Notice>
      )}
      {state.isOutcomeUnknown && (state.step === 'ready' || state.step === 'refused') && (
        <Notice tone="error" title={OUTCOME_UNKNOWN}>
          <p>
            An answer was lost, and the registry may still be working on the request. Check the timeline and
            the audit log before you order it again. Sending the same request again makes the change at most
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
            title={state.isOutcomeUnknown ? 'The last attempt was refused.' : 'Nothing was changed.'}
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
  if (state.step === 'looking') return <p>Checking what would happen …</p>;
  if (state.step !== 'sending') return null;
  if (state.againMs === null) return <p>The registry is working …</p>;
  return (
    <Notice title={`No answer yet. ${OUTCOME_UNKNOWN}`}>
      <p>
        Trying again in {Math.ceil(state.againMs / 1000)} s with the same request, so that it is made only
        once. If you close this, check the timeline.
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
  const reason = action.reasons === null ? 'made in the console' : reasonOf(chosen);
  const missing = whatIsMissing(plan, isSeen, reason);
  return (
    <>
      <section aria-label="What will happen" className={styles.plan}>
        <h3 className={styles.heading}>{plan.changed ? 'What will happen' : 'Nothing to do'}</h3>
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

/** Why it cannot be confirmed yet: a press by accident meets a button that does nothing. */
function whatIsMissing(plan: ActionOutcome, isSeen: boolean, reason: string): string | null {
  if (!plan.changed) return 'Nothing to change.';
  if (!isSeen) return 'Review what has changed first.';
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
