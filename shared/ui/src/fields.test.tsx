import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { CheckboxGroup, RadioGroup } from './choice-group.tsx';
import { Select } from './select.tsx';
import { TextArea } from './text-area.tsx';
import { TextField } from './text-field.tsx';

const services = [
  { value: 'sells', label: 'Sells' },
  { value: 'design', label: 'Design' },
  { value: 'support', label: 'Support' },
];

test.each([
  ['text field', <TextField key="" label="Name" hint="As on your card." error="Enter your name." />],
  ['text area', <TextArea key="" label="Name" hint="As on your card." error="Enter your name." />],
  [
    'select',
    <Select key="" label="Name" hint="As on your card." error="Enter your name." options={services} />,
  ],
])('a %s has its label as name and its hint and error as description', (_kind, field) => {
  render(field);
  const control = screen.getByLabelText('Name');
  expect(control).toHaveAccessibleDescription('As on your card. Enter your name.');
  expect(control).toBeInvalid();
});

test('a field without an error is valid and has no description', () => {
  render(<TextField label="Name" />);
  expect(screen.getByLabelText('Name')).toBeValid();
  expect(screen.getByLabelText('Name')).not.toHaveAttribute('aria-describedby');
});

test('a group has its hint and error as description', () => {
  render(
    <CheckboxGroup
      label="Services"
      name="services"
      options={services}
      hint="Any."
      error="Choose at least one."
    />,
  );
  expect(screen.getByRole('group', { name: 'Services' })).toHaveAccessibleDescription(
    'Any. Choose at least one.',
  );
});

function Services() {
  const [value, setValue] = useState(['support']);
  return (
    <>
      <CheckboxGroup label="Services" name="services" options={services} value={value} onChange={setValue} />
      <output>{value.join(' ')}</output>
    </>
  );
}

test('checkboxes report the checked values, in display order', async () => {
  render(<Services />);
  await userEvent.click(screen.getByLabelText('Sells'));
  expect(screen.getByRole('status')).toHaveTextContent('sells support');
  await userEvent.click(screen.getByLabelText('Support'));
  expect(screen.getByRole('status')).toHaveTextContent(/^sells$/);
});

test('an uncontrolled group keeps its own state', async () => {
  render(<CheckboxGroup label="Services" name="services" options={services} defaultValue={['design']} />);
  expect(screen.getByLabelText('Design')).toBeChecked();
  await userEvent.click(screen.getByLabelText('Sells'));
  expect(screen.getByLabelText('Sells')).toBeChecked();
});

test('radio buttons report the one choice', async () => {
  const onChange = jest.fn();
  render(<RadioGroup label="Heard" name="heard" options={services} onChange={onChange} />);
  await userEvent.click(screen.getByLabelText('Design'));
  expect(onChange).toHaveBeenCalledWith('design');
  expect(screen.getByLabelText('Design')).toBeChecked();
});

test('a select offers its placeholder as the empty choice', () => {
  render(<Select label="Country" placeholder="Choose" options={services} />);
  expect(screen.getByLabelText('Country')).toHaveValue('');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Choose',
    'Sells',
    'Design',
    'Support',
  ]);
});
