import { useEffect, useRef } from 'react';
import { Button } from '@site/ui/button';
import { Section } from '@site/ui/section';

export interface ErrorPanelProps {
  onRetry(): void;
  /** True during a retry. */
  busy: boolean;
  fault: string | undefined;
}

/** Replaces a page that fails. Header, footer and all other pages keep working. */
export function ErrorPanel({ onRetry, busy, fault }: ErrorPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  // The page may break while the visitor is further down, with the focus in removed content.
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
