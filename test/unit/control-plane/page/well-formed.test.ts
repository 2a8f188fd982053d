import { markupProblems } from "./well-formed";

test.each([
  ['<p id="a">1 &#60; 2<br /></p>', []],
  ["<p><b></p></b>", ["</p> closes <b>", "</b> closes <p>"]],
  ["<p>", ["<p> is never closed"]],
  ["<br>", ["<br> is not closed"]],
  ["<p id=a></p>", ["</p> closes <undefined>", "not a tag: <p id=a>"]],
  ["1 < 2", ["not a tag: 1 < 2"]],
  ["R&D", ["a bare ampersand"]],
  ['<i id="a"></i><b id="a"></b>', ["two of #a"]],
  ['<table aria-labelledby="x"></table>', ["no #x to name it"]],
  ['<p style="x" onclick="y"></p>', ["style is barred by the policy", "onclick is barred by the policy"]],
])("for %j the checker reports %j", (markup, problems) => {
  expect(markupProblems(markup)).toEqual(problems);
});
