import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const noRecords = {
  selector: 'MemberExpression[object.name="v"][property.name="record"]',
  message: 'It drops some names without a word. Use mapSchema of @site/contract.',
};

const noQueries = {
  selector:
    'CallExpression > MemberExpression.callee[property.name=/^(selectFrom|insertInto|updateTable|deleteFrom|transaction)$/]',
  message: 'SQL is in database/ only, and a change goes through runChange.',
};

export default tseslint.config(
  {
    ignores: ['**/dist/', '**/dist.*/', '**/node_modules/', '.data/', 'coverage/', 'tests/attacks/packages/'],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNever: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Factories return plain objects whose functions close over their state: none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': ['error', { allow: ['error', 'warn', 'info', 'debug'] }],
    },
  },
  {
    files: ['**/*.tsx'],
    extends: [jsxA11y.flatConfigs.strict],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name=/^(style|dangerouslySetInnerHTML)$/]',
          message:
            'The CSP allows neither inline styles nor HTML from strings. Use a CSS module or an SVG attribute.',
        },
      ],
    },
  },
  {
    files: ['shared/contract/**/*.ts', 'delivery/registry/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', noRecords] },
  },
  {
    files: ['delivery/registry/src/**/*.ts'],
    ignores: ['**/database/**', '**/testing/**', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': ['error', noRecords, noQueries],
      'no-restricted-imports': ['error', { paths: [{ name: 'kysely', message: noQueries.message }] }],
    },
  },
  {
    files: ['mfe-*/**/*.{ts,tsx}', 'shared/ui/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'react-router-dom',
              message: 'Take Link, NavLink and hooks from @site/kit: the shell shares it.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'tests/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
