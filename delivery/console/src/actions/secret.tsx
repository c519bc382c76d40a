import { Button } from '@site/ui/button';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';

/** What is shown this once. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <>
      <TextField
        label={label}
        hint="It is shown only now."
        readOnly
        value={value}
        onFocus={(event) => event.target.select()}
      />
      <Button
        size="small"
        icon={isCopied ? 'check' : 'copy'}
        onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </>
  );
}
