import type { FormName } from './form-sources.ts';
import { createFormSchemas } from './form-schemas.ts';
import { newsletterThanks } from './form-messages.ts';
import type { FormDefinition } from './form.ts';
import { newsletterForm } from './newsletter.ts';
import { partnerApplicationForm } from './partner-application.ts';
import { referralForm } from './referral.ts';

/** All forms of the site. Pages import a form's own file, so that they do not bundle the others. */
export const siteForms: Readonly<Record<FormName, FormDefinition>> = {
  newsletter: { ...newsletterForm, thanks: newsletterThanks },
  referral: referralForm,
  'partner-application': partnerApplicationForm,
};

export const siteFormSchemas = {
  newsletter: createFormSchemas(newsletterForm),
  referral: createFormSchemas(referralForm),
  'partner-application': createFormSchemas(partnerApplicationForm),
};
