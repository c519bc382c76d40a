import { composeEmail, type EmailPart } from './compose-email.ts';

const evil = `<img src=x onerror=alert(1)> & "it's" </style><script>alert(1)</script>`;
const brand = { name: 'Blocks' };

test('has the same content in plain text and HTML, in the same order', () => {
  const { text, html } = composeEmail(brand, 'Hello', [
    { kind: 'text', text: 'One' },
    { kind: 'quote', by: 'ada@example.com', text: 'Two\nThree' },
    { kind: 'action', text: 'Four', label: 'Press', url: 'https://x.example/a?b=1&c=2' },
    { kind: 'note', text: 'Five', label: 'here', url: 'https://x.example/d' },
    { kind: 'note', text: 'Six' },
  ]);
  expect(text).toBe(
    [
      'One',
      'The lines after ">" were written by ada@example.com, not by us:',
      '> Two\n> Three',
      'Four: https://x.example/a?b=1&c=2',
      'Five: https://x.example/d',
      'Six',
      'Blocks',
    ].join('\n\n'),
  );
  const seen = html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<br \/>/g, '\n')
    .replace(/<[^>]*>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  expect(seen).toEqual([
    'Blocks',
    'Hello',
    'One',
    'Written by ada@example.com, not by us:',
    'Two',
    'Three',
    'Four.',
    'Press',
    'Five:',
    'here',
    'Six',
  ]);
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    'https://x.example/a?b=1&amp;c=2',
    'https://x.example/d',
  ]);
});

test('ends with the known legal and contact details', () => {
  const { text, html } = composeEmail(
    {
      name: 'Acme',
      legalName: 'Acme Parts, Inc.',
      address: { street: '1 Main Street', city: 'Denver', region: '', country: 'United States' },
      support: 'https://help.acme.test/',
      email: 'hello@acme.test',
      phone: '',
    },
    'Hello',
    [{ kind: 'text', text: 'One' }],
  );
  expect(text).toBe(
    [
      'One\n',
      'Acme',
      'Acme Parts, Inc., 1 Main Street, Denver, United States',
      'Help: https://help.acme.test/',
      'Email: hello@acme.test',
    ].join('\n'),
  );
  expect(html).toMatch(/Acme Parts, Inc\., 1 Main Street, Denver, United States<\/p>/);
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    'https://help.acme.test/',
    'mailto:hello@acme.test',
  ]);
});

test('escapes markup in all inserted values', () => {
  const parts: EmailPart[] = [
    { kind: 'text', text: evil },
    { kind: 'quote', by: evil, text: `${evil}\n${evil}` },
    { kind: 'action', text: evil, label: evil, url: `https://x.example/${evil}` },
    { kind: 'note', text: evil, label: evil, url: `https://x.example/${evil}` },
  ];
  const hostile = { name: evil, legalName: evil, support: `https://x.example/${evil}` };
  const { html } = composeEmail(hostile, evil, parts);
  const plain = composeEmail(
    { name: 'B', legalName: 'B', support: 'https://x.example/x' },
    'T',
    parts.map(harmless),
  ).html;
  const tags = (markup: string) => [...markup.matchAll(/<\/?[a-z!][^\s>]*/gi)].map(([tag]) => tag);
  expect(tags(html)).toEqual(tags(plain));
  // Text may contain attribute-like strings; quotes that would end a value are escaped.
  expect(html).not.toContain(evil);
  expect(html.match(/="/g)).toHaveLength(plain.match(/="/g)!.length);
});

/** The same part without characters to escape. */
function harmless(part: EmailPart): EmailPart {
  return JSON.parse(
    JSON.stringify(part, (_key, value: unknown) =>
      typeof value === 'string' ? value.replaceAll(evil, 'x') : value,
    ),
  ) as EmailPart;
}

test('marks each line of a quote, for every kind of line break, and removes bidirectional controls', () => {
  const { text, html } = composeEmail(brand, 'T', [
    { kind: 'quote', by: 'a', text: 'one\r\ntwo\rthree\u2028four\u2029\u202efive' },
  ]);
  expect(text).toContain('> one\n> two\n> three\n> four\n> five');
  expect(html).toContain('one<br />two<br />three<br />four<br />five');
});

test('is readable in light mode without a style sheet, and in dark mode with one', () => {
  const { html } = composeEmail(brand, 'T', [
    { kind: 'action', text: 'a', label: 'b', url: 'https://x.example' },
  ]);
  expect(html).toContain('<meta name="color-scheme" content="light dark" />');
  const [, sheet = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  // Every element with a light color has a dark one.
  const coloured = [...html.matchAll(/class="([^"]+)"[^>]*style="[^"]*(?:color|background):/g)].map(
    ([, name]) => name!,
  );
  expect(coloured.length).toBeGreaterThan(3);
  for (const name of coloured) expect(sheet).toContain(`.${name} {`);
  expect(html).not.toMatch(/<img|url\(|src=/);
});
