import { timeText } from '@site/contract/text';
import { Notice } from '@site/ui/notice';
import type { ReactNode } from 'react';
import type { Read } from '../data/reads.ts';

interface AnsweredProps<Data> {
  read: Read<Data>;
  of: string;
  children: (data: Data) => ReactNode;
}

export function Answered<Data>({ read: { data, error, at }, of, children }: AnsweredProps<Data>) {
  if (data === undefined) {
    return error ? (
      <Notice tone="error" title={`${of.charAt(0).toUpperCase()}${of.slice(1)} could not be loaded.`}>
        <p>{error.message}</p>
      </Notice>
    ) : (
      <p role="status">Reading {of} …</p>
    );
  }
  return (
    <>
      {error && error.failure === 'refused' && (
        <Notice tone="error" title={`This data is from ${timeText(new Date(at))}.`}>
          <p>{error.message}</p>
        </Notice>
      )}
      {children(data)}
    </>
  );
}
