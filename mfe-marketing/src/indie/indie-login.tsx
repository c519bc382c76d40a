import { LoginScreen } from '@site/ui/screens/login-screen';

export default function IndieLogin() {
  return (
    <LoginScreen
      title="bookings.example.com"
      note="Sample app"
      app="Music lessons"
      label="A login form next to the call that it makes: POST /users/login. The response is 200 with a token and the user’s ID."
      call={{
        request: `const { data } =
  await api('POST', '/users/login', {
    email,
    password,
  });`,
        status: '200 OK',
        response: `company-token: eyJhbGciOi…

{
  "data": {
    "type": "users",
    "id": "5f0c9f6e"
  }
}`,
      }}
    />
  );
}
