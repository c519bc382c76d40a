import { domainOf, mailboxOf } from './mailbox.ts';

test.each([
  ['Victim+1@Example.com', 'victim@example.com'],
  ['victim+a+b@example.com', 'victim@example.com'],
  ['victim@example.com', 'victim@example.com'],
  ['+odd@example.com', '+odd@example.com'],
  ["O'Neil.x@Sub.Example.com", "o'neil.x@sub.example.com"],
])('%s belongs to the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
  expect(domainOf(email)).toBe(mailbox.split('@')[1]);
});
