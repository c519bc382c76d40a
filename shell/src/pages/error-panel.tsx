import { useEffect, useRef } from 'react';
import { Button } from '@site/ui/button';
import { Section } from '@site/ui/section';

export interface ErrorPanelProps {
  onRetry(): void;
  /** True while a retry is under way. */
  busy: boolean;
  /** What went wrong, for the developer whose machine the page came from. */
  fault: string | undefined;
}

/** Stands in place of a page that cannot be shown; header, footer and every other page keep working. */
export function ErrorPanel({ onRetry, busy, fault }: ErrorPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  // A page that breaks may have been read further down, with the focus in what is gone now.
  useEffect(() => panel.current?.focus(), []);
  return (
    <>
      <title>This page could not be loaded</title>
      <div role="alert" data-testid="error-panel" tabIndex={-1} ref={panel}>
        <Section
          title="This page could not be loaded"
          lead={
            fault ??
            'Your connection may have dropped, or something is wrong on our side. Try again, or go to another page.'
          }
        >
          {/* It keeps the focus during a retry, so it is never disabled. */}
          <Button onClick={() => !busy && onRetry()} aria-disabled={busy}>
            {busy ? 'Trying again …' : 'Try again'}
          </Button>
        </Section>
      </div>
    </>
  );
}
