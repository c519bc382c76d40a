import { brand } from '@site/kit';

/** What stands in the message at first. */
export const referralMessage = `Hi,

I thought of you when I saw ${brand.name}: ready-made, managed backend blocks (sign-in, forms, search and more) that plug into any frontend, so you can skip building the same backend again.

The first month is free in a stage environment, with no credit card. Have a look.`;
