import type { StructuredData } from '@site/kit';
import { questions } from './home-page.data.ts';

/** The FAQ as structured data. @see https://schema.org/FAQPage */
export const questionsForMachines: StructuredData = {
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
};
