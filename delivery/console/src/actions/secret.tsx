import { Button } from '@site/ui/button';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';

export function Secret({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<'yes' | 'refused' | null>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied('yes');
    } catch {
      setCopied('refused');
    }
  }

  return (
    <>
      <TextField
        label={label}
        hint={
          copied === 'refused'
            ? "Your browser blocked copying. Select and copy it now; it won't be shown again."
            : "It won't be shown again."
        }
        readOnly
        value={value}
        onFocus={(event) => event.target.select()}
      />
      <Button size="small" icon={copied === 'yes' ? 'check' : 'copy'} onClick={() => void copy()}>
        {copied === 'yes' ? 'Copied' : 'Copy'}
      </Button>
    </>
  );
}
