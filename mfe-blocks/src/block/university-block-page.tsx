import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'university',
  lead: 'A headless learning system: courses, lessons, quizzes and progress, in a design that’s yours.',
  description:
    'The University Block is a headless learning system behind REST APIs: build courses, enroll learners, record lessons and quizzes, issue certificates.',
  calls: [
    {
      title: 'Build a course',
      text: 'Lessons can be text, video or a quiz. They come out in your order.',
      request: 'POST /courses',
      body: {
        title: 'Coffee basics',
        lessons: [
          { title: 'Beans', kind: 'video' },
          { title: 'Grinding', kind: 'text' },
          { title: 'Check yourself', kind: 'quiz' },
        ],
      },
      status: '201 Created',
      response: { data: { type: 'courses', id: 'coffee', attributes: { lessons: 3 } } },
    },
    {
      title: 'Enroll a learner',
      text: 'A user of Auth or a guest. Sell the course or give it away: your call.',
      request: 'PUT /courses/coffee/learners/usr_88',
      status: '201 Created',
      response: {
        data: { type: 'enrollments', id: 'usr_88', attributes: { progress: 0, next: 'beans' } },
      },
    },
    {
      title: 'Hand in a quiz',
      text: 'The block grades it and says which answers were right.',
      request: 'POST /courses/coffee/lessons/quiz/attempts',
      body: { learner: 'usr_88', answers: [2, 0, 1] },
      status: '201 Created',
      response: {
        data: { type: 'attempts', id: 'att_5', attributes: { right: 2, of: 3, passed: true } },
      },
    },
    {
      title: 'Read the progress',
      text: 'For the learner’s dashboard, or for the teacher’s.',
      request: 'GET /courses/coffee/learners/usr_88',
      status: '200 OK',
      response: {
        data: {
          type: 'enrollments',
          id: 'usr_88',
          attributes: { progress: 100, certificate: '/certificates/crt_12' },
        },
      },
    },
  ],
  screen: {
    lead: 'A course page without a course platform.',
    title: 'Coffee basics',
    rows: [
      { text: 'Beans', note: 'Video · 6 minutes', done: true },
      { text: 'Grinding', note: 'Text · 4 minutes', done: true },
      { text: 'Check yourself', note: 'Quiz · 3 questions', done: false },
    ],
  },
  related: {
    content: 'Write lessons in the CMS, with images and downloads.',
    rewards: 'A badge for each finished course.',
    onboarding: 'Make the first lesson part of the first week.',
  },
  questions: [
    [
      'What does headless mean here?',
      'No pages and no player. You get courses, grades and progress as data and draw the rest.',
    ],
    ['Can I move my courses in?', 'Yes. Create courses and lessons by the same calls, from a script.'],
  ],
});
