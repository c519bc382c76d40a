import { Badge } from '@site/ui/badge';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { makeToken, revokeToken } from '../actions/access-actions.ts';
import { ActionButton } from '../actions/action-button.tsx';
import type { AnswerTo } from '../data/client.ts';
import { permissionProblem } from '../data/permissions.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToView } from '../layout/to-view.tsx';
import { At } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { Fields } from '../parts/fields.tsx';
import { ShowOlder, Table } from '../parts/table.tsx';
import { useTyped } from '../parts/use-input.ts';
import { Part, View } from '../parts/view.tsx';
import { splitWords } from '../parts/text.ts';

type Token = AnswerTo<'listTokens'>['tokens'][number];

const PAGE = 50;
const MOST = 200;

export function TokensView() {
  const denied = permissionProblem(useConsole().session, ['ops']);
  return (
    <View title="Tokens">
      {denied === null ? (
        <>
          <Part title="New token">
            <NewToken />
          </Part>
          <Part title="All tokens">
            <Tokens />
          </Part>
        </>
      ) : (
        <p>{denied}</p>
      )}
    </View>
  );
}

function NewToken() {
  const [name, nameProps] = useTyped();
  const [scopes, scopesProps] = useTyped();
  const [days, daysProps] = useTyped('90');
  return (
    <Fields>
      <TextField label="Name" hint={'The user or system, such as "ci blocks".'} {...nameProps} />
      <TextField label="Scopes" hint="Such as: publish:mfe-blocks activate:mfe-blocks" {...scopesProps} />
      <TextField label="Days" hint="Lifetime in days." inputMode="numeric" {...daysProps} />
      <ActionButton
        label="Make token"
        action={makeToken({
          name: name.trim(),
          scopes: splitWords(scopes),
          expiresInDays: Number(days),
        })}
      />
    </Fields>
  );
}

function Tokens() {
  const [limit, setLimit] = useState(PAGE);
  const before = useSearchParams()[0].get('before');
  const query = { limit, ...(before === null ? {} : { before }) };
  return (
    <>
      {before !== null && (
        <p>
          Older tokens. <ToView path="/tokens">Show the newest</ToView>
        </p>
      )}
      <Answered read={useRead('listTokens', { query })} of="the tokens">
        {({ tokens, next }) => (
          <>
            <Table
              caption="Tokens, newest first"
              columns={['Name', 'May', 'Made', 'Ends', 'State', 'Actions']}
              rows={tokens.map((token) => row(token))}
            />
            {next !== null &&
              (limit < MOST ? (
                <ShowOlder limit={limit} most={MOST} onMore={setLimit} />
              ) : (
                <ToView path="/tokens" query={{ before: next }}>
                  Show older
                </ToView>
              ))}
          </>
        )}
      </Answered>
    </>
  );
}

function row(token: Token) {
  const { name, scopes, createdAt, expiresAt, revokedAt, active } = token;
  return [
    name,
    scopes.join(', '),
    <At key="made" at={createdAt} />,
    expiresAt === null ? 'never' : <At key="ends" at={expiresAt} />,
    active ? (
      <Badge key="state" tone="blue">
        good
      </Badge>
    ) : (
      <Badge key="state">{revokedAt === null ? 'ended' : 'revoked'}</Badge>
    ),
    active ? <ActionButton key="revoke" label="Revoke" about={name} action={revokeToken(token)} /> : '–',
  ];
}
