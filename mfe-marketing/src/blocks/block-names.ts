import type { BlockName } from '@site/ui/blocks/block-name';

export const blockNames: Record<BlockName, string> = {
  companies: 'Companies',
  'file-management': 'File Management',
  forms: 'Forms',
  auth: 'Auth',
  geolocation: 'Geolocation',
  jarvis: 'Jarvis (ML)',
  journey: 'Journey',
  onboarding: 'Onboarding',
  products: 'Products',
  'real-time': 'Real Time',
  rewards: 'Rewards',
  sales: 'Sales',
  search: 'Search',
  university: 'University',
  content: 'Content',
};
