import { readConfig } from '@site/server/config';
import { FormsEnvSchema, readFormsConfig } from './config.ts';

const token = (letter: string) => `site_${letter.repeat(43)}`;
const needed = { JWKS_URL: 'https://api.example.com/gateway/.well-known/jwks.json' };
const mail = {
  SMTP_URL: 'smtps://user:password@mail.example.com',
  MAIL_FROM: 'Blocks <hello@example.com>',
  PUBLIC_URL: 'https://api.example.com/forms',
};
const read = (env: Record<string, string>) =>
  readFormsConfig(readConfig(FormsEnvSchema, { ...needed, ...env }));

test('an empty environment gives the defaults: no mail, no registry, no operators', () => {
  expect(read({})).toMatchObject({
    jwksUrl: needed.JWKS_URL,
    appIds: [],
    origins: ['http://localhost:8080'],
    adminToken: null,
    inboxToken: null,
    publicUrl: 'http://localhost:8082/',
    mail: null,
    registry: null,
    recipients: {},
    postLimits: { formPostsPerHour: 30, referralsPerDay: 10 },
    mailLimits: {
      confirmationsPerSender: 3,
      invitationsPerSender: 20,
      mailsPerDomain: 50,
      mailsPerDay: 1_000,
    },
  });
});

test('each variable reaches its setting', () => {
  const config = read({
    ...mail,
    REGISTRY_URL: 'https://registry.example.com',
    REGISTRY_TOKEN: token('r'),
    CHANNEL: 'staging',
    ADMIN_TOKEN: token('a'),
    INBOX_TOKEN: token('i'),
    FORM_DAYS: '30',
    FORM_RECIPIENTS: 'people=jobs@example.com, sales=a=b@example.com',
    FORM_POSTS_PER_HOUR: '1',
    REFERRALS_PER_DAY: '2',
    CONFIRMATIONS_PER_SENDER: '3',
    INVITATIONS_PER_SENDER: '4',
    MAILS_PER_DOMAIN: '5',
    MAILS_PER_DAY: '6',
    CAPTCHAS_PER_HOUR: '0',
  });
  expect(config).toMatchObject({
    adminToken: token('a'),
    inboxToken: token('i'),
    publicUrl: 'https://api.example.com/forms/',
    mail: { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM },
    registry: { url: 'https://registry.example.com', token: token('r'), channel: 'staging', days: 30 },
    recipients: { people: 'jobs@example.com', sales: 'a=b@example.com' },
    postLimits: { formPostsPerHour: 1, referralsPerDay: 2 },
    mailLimits: { confirmationsPerSender: 3, invitationsPerSender: 4, mailsPerDomain: 5, mailsPerDay: 6 },
    captcha: { perHour: 0 },
  });
});

test.each(['smtp://mail.example.com', 'smtps://user:password@mail.example.com:465'])(
  'mail goes through %s',
  (SMTP_URL) => {
    expect(read({ ...mail, SMTP_URL }).mail).toMatchObject({ smtpUrl: SMTP_URL });
  },
);

test.each([
  'mail.example.com',
  'https://mail.example.com',
  'xsmtp://mail.example.com',
  'smtpsx://mail.example.com',
])('mail does not go through %s', (SMTP_URL) => {
  expect(() => read({ ...mail, SMTP_URL })).toThrow('It must be an SMTP URL');
});

test.each(['hello@example.com', 'Blocks <hello@example.com>'])('%s is a sender', (MAIL_FROM) => {
  expect(read({ ...mail, MAIL_FROM }).mail).toMatchObject({ from: MAIL_FROM });
});

test.each(['hello', 'Blocks <hello@example.com> and others', 'a@b@example.com', 'Blocks <hello@example.com'])(
  '%s is no sender',
  (MAIL_FROM) => {
    expect(() => read({ ...mail, MAIL_FROM })).toThrow('It must be a sender');
  },
);

test.each([
  'people',
  '=jobs@example.com',
  'People=jobs@example.com',
  '1people=jobs@example.com',
  'people=jobs',
])('FORM_RECIPIENTS=%s is refused', (FORM_RECIPIENTS) => {
  expect(() => read({ FORM_RECIPIENTS })).toThrow('It must be a list of teams with an address');
});

test('mail needs a sender and a public address, and a registry needs a token', () => {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = mail;
  expect(() => read({ SMTP_URL, PUBLIC_URL })).toThrow('MAIL_FROM');
  expect(() => read({ SMTP_URL, MAIL_FROM })).toThrow('PUBLIC_URL');
  expect(read({ MAIL_FROM, PUBLIC_URL }).mail).toBeNull();
  expect(() => read({ REGISTRY_URL: 'https://registry.example.com' })).toThrow('REGISTRY_TOKEN');
  expect(read({ REGISTRY_TOKEN: token('r') }).registry).toBeNull();
});
