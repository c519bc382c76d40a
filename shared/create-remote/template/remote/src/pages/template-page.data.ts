/** Shown by search engines and link previews: one or two sentences. */
export const description = 'Template title: what it is, how it works, and who to contact.';

/** Shown as numbered steps. */
export const steps = [
  { title: 'Look', text: 'Say in one sentence what a visitor finds here.' },
  { title: 'Choose', text: 'Say what there is to decide, and what helps to decide it.' },
  { title: 'Begin', text: 'Say what happens next, and how long it takes.' },
] as const;

/** Shown as questions that open. */
export const questions = [
  {
    question: 'Who is this for?',
    answer: 'Name the visitors that this page was made for, in the words that they use.',
  },
  {
    question: 'What does it cost?',
    answer: 'Say the price, or say that it is free. Visitors who have to ask leave.',
  },
] as const;
