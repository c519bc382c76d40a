import { Button } from '@site/ui/button';
import { copyText } from '@site/ui/copy-text';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';

export function Secret({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<'yes' | 'refused' | null>(null);

  const copy = async () => setCopied((await copyText(value)) ? 'yes' : 'refused');

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
