/** The fifteen blocks of the specification, by slug. */
export type BlockName =
  | 'companies'
  | 'file-management'
  | 'forms'
  | 'auth'
  | 'geolocation'
  | 'jarvis'
  | 'journey'
  | 'onboarding'
  | 'products'
  | 'real-time'
  | 'rewards'
  | 'sales'
  | 'search'
  | 'university'
  | 'content';
