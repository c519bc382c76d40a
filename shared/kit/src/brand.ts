/**
 * Who the site speaks for. The specification leaves the name and the addresses open, so they stand here, once: changing
 * the brand is one edit of this file and one publish of the shell, which gives the kit to every remote.
 * (Link preview images carry the name too: they follow when a remote is built the next time.)
 */
export const brand = {
  name: 'Blocks',
  tagline: 'Plug. Build. Ship.',
  email: 'hello@blocks.example',
  phone: { display: '+1 (303) 555-0142', href: 'tel:+13035550142' },
  madeIn: 'Made with love in Boulder, Colorado',
  remote: 'Remote Worldwide',
  copyrightYear: 2025,
  social: [
    { name: 'X', href: 'https://x.com/blocks.example' },
    { name: 'LinkedIn', href: 'https://www.linkedin.com/company/blocks.example' },
    { name: 'Instagram', href: 'https://www.instagram.com/blocks.example' },
    { name: 'Contact', href: 'https://contact.blocks.example/' },
  ],
  links: {
    platformStatus: 'https://status.blocks.example/',
    supportCenter: 'https://help.blocks.example/',
    contact: 'https://contact.blocks.example/',
    /** Where each block has a page of its own; the block's slug is appended. */
    solutions: 'https://solutions.blocks.example/',
  },
  /** The application that visitors sign up to, by mode of the site. */
  application: {
    production: 'https://app.blocks.example',
    staging: 'https://app.staging.blocks.example',
  },
} as const;
