import { referralForm } from '@site/contract/forms/referral';
import { siteFormSchemas } from '@site/contract/forms/site-forms';
import { checkForm } from './check-form.ts';
import { fillInDraft, firstValues, readValues } from './form-values.ts';

const initial = { email: '', message: 'Have a look.', country: '', services: [], how_heard: '' };
const draft = {
  email: 'a@x.com',
  message: '',
  country: 'CO',
  services: ['design', 'support'],
  how_heard: 'customer',
};

function createForm(): HTMLFormElement {
  const form = document.createElement('form');
  const add = (tag: string, attributes: Record<string, string>, parent: HTMLElement = form) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return parent.appendChild(element);
  };
  add('input', { name: 'email' });
  add('textarea', { name: 'message' }).textContent = 'Have a look.';
  const select = add('select', { name: 'country' });
  for (const value of ['', 'CO', 'DE']) add('option', { value }, select);
  for (const value of ['design', 'sales', 'support'])
    add('input', { type: 'checkbox', name: 'services', value });
  for (const value of ['search', 'customer']) add('input', { type: 'radio', name: 'how_heard', value });
  return form;
}

test('restores a draft into every kind of field', () => {
  const form = createForm();
  expect(readValues(form, initial)).toEqual(initial);
  fillInDraft(form, initial, draft);
  expect(readValues(form, initial)).toEqual(draft);
});

test('newer input stays, and the draft fills the other fields', () => {
  const form = createForm();
  form.querySelector('input')!.value = 'typed@x.com';
  form.querySelector<HTMLInputElement>('[value=sales]')!.checked = true;
  fillInDraft(form, initial, draft);
  expect(readValues(form, initial)).toEqual({ ...draft, email: 'typed@x.com', services: ['sales'] });
});

test('ignores the draft of another version of the form', () => {
  const form = createForm();
  fillInDraft(form, initial, { email: ['a@x.com'], services: 'design', fax: '555' });
  expect(readValues(form, initial)).toEqual(initial);
});

test.each(['Acme', 'Acme.io', 'St.John & Sons'])("the referral's initial message is valid: %s", (brand) => {
  const { message = '' } = firstValues(referralForm, brand);
  const addresses = { email: 'a@x.com', to_emails: 'b@x.com' };
  expect(checkForm(siteFormSchemas.referral.form, { ...addresses, message })).toMatchObject({ ok: true });
  expect(String(message).replaceAll('\u200A', '')).toContain(`when I saw ${brand}:`);
});
