/** What a visitor is told when a form did not reach the forms service, or was answered in a way that says nothing to them. */
export const NOT_SENT = 'The form could not be sent. Please try again in a moment.';
