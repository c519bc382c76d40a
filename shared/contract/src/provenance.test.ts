import * as v from 'valibot';
import { PlaceSchema, provenanceText, type Provenance } from './provenance.ts';

const known: Provenance = {
  verified: true,
  repository: 'https://github.com/acme/careers',
  commit: '1a2b3c4d5e6f7a8b9c0d',
  ref: null,
  run: null,
  issuer: null,
  subject: null,
};

test.each([
  [{ provenance: known }, 'github.com/acme/careers@1a2b3c4d5e6f (verified)'],
  [{ provenance: { ...known, verified: false } }, 'github.com/acme/careers@1a2b3c4d5e6f (claimed)'],
  [{ provenance: { ...known, commit: null } }, 'github.com/acme/careers (verified)'],
  [{ provenance: { ...known, repository: null } }, '1a2b3c4d5e6f (verified)'],
  [{ provenance: { ...known, repository: null, commit: null } }, 'a pipeline (verified)'],
  [{ provenance: { ...known, repository: null, commit: null, verified: false } }, '–'],
  [
    { provenance: { ...known, repository: 'http://git.example.com/https://x' } },
    'git.example.com/https://x@1a2b3c4d5e6f (verified)',
  ],
  [{ commit: '1a2b3c4d5e6f7' }, '1a2b3c4d5e6f (claimed)'],
  [{ provenance: null, commit: null }, '–'],
  [{}, '–'],
])('%j is shown as "%s"', (version, text) => {
  expect(provenanceText(version)).toBe(text);
});

test.each([
  ['https://github.com/acme/careers', true],
  ['http://git.example.com:8080/x', true],
  ['ftp://git.example.com/x', false],
  ['xhttp://git.example.com/x', false],
  ['https://user@git.example.com/x', false],
  ['https://:password@git.example.com/x', false],
  ['https://git.example.com/x?token=1', false],
  ['https://git.example.com/x#1', false],
  ['git.example.com', false],
])('%s is the address of a page without secrets: %s', (text, isOne) => {
  expect(v.is(PlaceSchema, text)).toBe(isOne);
});
