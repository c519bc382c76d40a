/** The message for a form that did not reach the forms service, or got an unusable response. */
export const NOT_SENT = 'The form could not be sent. Please try again in a moment.';
