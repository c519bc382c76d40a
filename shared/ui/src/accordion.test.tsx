import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Accordion, AccordionItem } from './accordion.tsx';

beforeEach(() => {
  render(
    <Accordion>
      <AccordionItem title="Is it free?">One month.</AccordionItem>
      <AccordionItem title="Is it secure?" defaultOpen>
        Isolated.
      </AccordionItem>
    </Accordion>,
  );
});

const item = (title: string) => screen.getByText(title).closest('details');

test('opens and closes each question independently', async () => {
  await userEvent.click(screen.getByText('Is it free?'));
  expect(item('Is it free?')).toHaveAttribute('open');
  expect(item('Is it secure?')).toHaveAttribute('open');

  await userEvent.click(screen.getByText('Is it secure?'));
  expect(item('Is it free?')).toHaveAttribute('open');
  expect(item('Is it secure?')).not.toHaveAttribute('open');
});

test('keeps the answer of a closed question in the page, for find-in-page', () => {
  expect(item('Is it free?')).not.toHaveAttribute('open');
  expect(screen.getByText('One month.')).toBeInTheDocument();
});

test('the questions are headings', () => {
  expect(screen.getByRole('heading', { level: 3, name: 'Is it free?' })).toBeInTheDocument();
});
