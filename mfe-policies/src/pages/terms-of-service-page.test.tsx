import { renderPage } from '@site/testing/render-page';
import TermsOfServicePage from './terms-of-service-page.tsx';

test.each([
  ['agreement', 'effective since February 15, 2024'],
  ['age', 'at least 13 years old'],
  ['fees', 'paid in US dollars'],
  ['fees', 'Fees are non-refundable.'],
  ['renewal', 'notice of non-renewal or of termination, at least 30 days ahead'],
  ['rates', 'An increase is capped at 10% per unit'],
  ['warranty', '30-day warranty'],
  ['liability', 'capped at the amount that you paid in the 12 months before termination'],
])('has the term of the specification in the section "%s": %s', (section, term) => {
  const { container } = renderPage(<TermsOfServicePage />, { path: '/policies/terms-of-service' });
  expect(container.querySelector(`section#${section}`)).toHaveTextContent(term);
});
