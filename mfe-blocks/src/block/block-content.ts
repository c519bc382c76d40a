import { createContext } from 'react';
import type { BlockName } from '@site/ui/blocks/block-name';
import type { ScreenRow } from '@site/ui/screens/records-screen';
import type { Json } from './format-json.ts';

export interface BlockContent {
  slug: BlockName;
  /** Below the title. */
  lead: string;
  description: string;
  calls: readonly Call[];
  /** The result of the calls in an app. */
  screen: { lead: string; title: string; rows: readonly ScreenRow[] };
  /** Blocks that are often used with this one, each with the reason. */
  related: Partial<Record<BlockName, string>>;
  questions: readonly (readonly [question: string, answer: string])[];
}

export interface Call {
  title: string;
  text: string;
  /** Such as `POST /forms`. Unique on its page. */
  request: string;
  body?: Json;
  /** Such as `201 Created`. */
  status: string;
  response: Json;
}

export const Content = createContext<BlockContent | null>(null);
