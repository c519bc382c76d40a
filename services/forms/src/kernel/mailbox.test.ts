import { emailDomain, toMailbox } from './mailbox.ts';

test.each([
  ['Victim+1@Example.com', 'victim@example.com'],
  ['victim+a+b@example.com', 'victim@example.com'],
  ['victim@example.com', 'victim@example.com'],
  ['+odd@example.com', '+odd@example.com'],
  ["O'Neil.x@Sub.Example.com", "o'neil.x@sub.example.com"],
])('%s belongs to the mailbox %s', (email, mailbox) => {
  expect(toMailbox(email)).toBe(mailbox);
  expect(emailDomain(email)).toBe(mailbox.split('@')[1]);
});
