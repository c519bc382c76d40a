import { formsDefaults } from '@site/forms/config';
import { gatewayDefaults } from '@site/gateway/config';

const DAY = 24 * 60 * 60;

// One process ("npm start") runs both with their defaults.
test('an identity is removed before its guest, even if each job is a day late and a token is still valid', () => {
  expect(gatewayDefaults.retention - formsDefaults.identityRetention).toBeGreaterThanOrEqual(
    gatewayDefaults.tokenLifetime + 2 * DAY + DAY,
  );
});
