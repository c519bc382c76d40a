/** The id of `<main>`: where the skip link leads and the focus goes after a navigation. */
export const mainId = 'main';
