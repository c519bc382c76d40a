import type { Provenance } from '@site/contract/provenance';
import { render, screen } from '@testing-library/react';
import { From } from './version.tsx';

const provenance: Provenance = {
  verified: true,
  repository: 'https://github.com/acme/careers',
  commit: '1a2b3c4d5e6f7a8b',
  ref: 'refs/heads/main',
  run: 'https://github.com/acme/careers/actions/runs/7',
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'repo:acme/careers:ref:refs/heads/main',
};

test("links to the pipeline's run if the issuer has confirmed it", () => {
  render(<From of={{ provenance, commit: 'abc1234' }} />);
  const link = screen.getByRole('link', { name: 'github.com/acme/careers@1a2b3c4d5e6f (verified)' });
  expect(link).toHaveAttribute('href', provenance.run);
});

test('has no link for a mere claim', () => {
  render(<From of={{ provenance: { ...provenance, verified: false } }} />);
  expect(screen.getByText('github.com/acme/careers@1a2b3c4d5e6f (claimed)')).toBeInTheDocument();
  expect(screen.queryByRole('link')).toBeNull();
});

test.each([
  [{ provenance: null, commit: 'abc1234' }, 'abc1234 (claimed)'],
  [{ provenance: { ...provenance, repository: null, commit: null, run: null } }, 'a pipeline (verified)'],
  [{ provenance: null, commit: null }, '–'],
  [{}, '–'],
])('for %j it shows "%s"', (version, text) => {
  render(<From of={version} />);
  expect(screen.getByText(text)).toBeInTheDocument();
});
