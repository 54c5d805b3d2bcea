#!/usr/bin/env python3
"""Records chat_templates.json: what transformers makes of conversations with chat templates in the forms that published
models have, and of single expressions.

Usage: make_chat_templates.py [FILES]
  FILES  templates of other models, *.jinja: they are compared and not recorded; see below
Needs transformers 5.24 and jinja2 3.1.6, no network. Read by tests/unit/data/text/chat_template_test.cpp.

With FILES, the cases and what transformers gives go to other_chat_templates.json in the current folder, which the same
test reads from the file that DDX_CHAT_TEMPLATES names. The source archive of llama-cpp-python on PyPI has 70 templates of
published models (vendor/llama.cpp/models/templates).
"""
import datetime
import json
import os
import pathlib
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import transformers.utils.chat_template_utils as chat


class Fixed(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2026, 11, 30, 10, 5, 0)


chat.datetime = Fixed
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}


def message(role, content, **members):
    return {"role": role, "content": content, **members}


WEATHER = {"type": "function", "function": {
    "name": "weather", "description": "The weather \"now\" in a city, in \u00b0C.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer", "enum": [1, 2]}},
                   "required": ["city"]}}}
CALL = message("assistant", "", tool_calls=[{"id": "abcdef123", "type": "function", "function": {
    "name": "weather", "arguments": {"city": "Bern", "days": 2}}}])
RESULT = message("tool", "{\"t\": 3.5}", tool_call_id="abcdef123", name="weather")
HELLO, QUESTION = message("user", "Hello"), message("user", "And \u4f60\u597d?")
CASES = [
    ([HELLO], True, {}),
    ([message("system", "Be brief."), message("user", " Hi \n there "), message("assistant", " Yes. "), QUESTION], True, {}),
    ([HELLO, message("assistant", "b")], False, {}),
    ([message("system", "s"), HELLO], True, {"tools": [WEATHER]}),
    ([HELLO, CALL, RESULT, message("assistant", "It is cold."), QUESTION], True, {"tools": [WEATHER]}),
    ([HELLO, message("assistant", "<think>\nhm\n</think>\n\nanswer"), QUESTION], True, {"enable_thinking": False}),
    ([HELLO, message("assistant", "c", reasoning_content="because"), QUESTION], True, {"enable_thinking": True}),
    ([message("user", [{"type": "text", "text": "part one "}, {"type": "text", "text": "two"}])], True, {}),
    ([message("assistant", "first")], True, {}),
    ([], True, {}),
    ([HELLO, QUESTION], False, {"documents": [{"title": "T", "text": "d"}], "date_string": "1 Jan 2025"}),
]

# In the forms of ChatML, Llama 3, Qwen 3, Mistral, Gemma 3, Phi 3 and SmolLM.
TEMPLATES = {
    "chatml": """{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
""",
    "smol": """{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system
You are a helpful assistant<|im_end|>
' }}{% endif %}{{'<|im_start|>' + message['role'] + '
' + message['content'] + '<|im_end|>' + '
'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant
' }}{% endif %}""",
    "llama3": """{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}

{#- The system message becomes a place of its own. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Today Date: " + date_string + "\\n\\n" }}
{%- if tools is not none %}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("One call at once!") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '{"name": "' + tool_call.name + '", ' }}
        {{- '"parameters": ' }}
        {{- tool_call.arguments | tojson }}
        {{- "}<|eot_id|>" }}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
""",
    "qwen3": """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}
        {{- messages[0].content + '\\n\\n' }}
    {%- endif %}
    {{- "# Tools" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "<|im_end|>\\n" }}
{%- else %}
    {%- if messages[0].role == 'system' %}
        {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endif %}
{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning_content = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning_content = message.reasoning_content %}
        {%- else %}
            {%- if '</think>' in content %}
                {%- set reasoning_content = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
                {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
            {%- endif %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index %}
            {%- if loop.last or (not loop.last and reasoning_content) %}
                {{- '<|im_start|>' + message.role + '\\n<think>\\n' + reasoning_content.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
            {%- else %}
                {{- '<|im_start|>' + message.role + '\\n' + content }}
            {%- endif %}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for tool_call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}
                    {{- '\\n' }}
                {%- endif %}
                {%- if tool_call.function %}
                    {%- set tool_call = tool_call.function %}
                {%- endif %}
                {{- '<tool_call>\\n{"name": "' }}
                {{- tool_call.name }}
                {{- '", "arguments": ' }}
                {%- if tool_call.arguments is string %}
                    {{- tool_call.arguments }}
                {%- else %}
                    {{- tool_call.arguments | tojson }}
                {%- endif %}
                {{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}
        {{- content }}
        {{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}""",
    "mistral": """{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- set user_messages = loop_messages | selectattr("role", "equalto", "user") | list %}
{%- set ns = namespace() %}
{%- set ns.index = 0 %}
{%- for message in loop_messages %}
    {%- if not (message.role == "tool" or message.role == "tool_results" or (message.tool_calls is defined and message.tool_calls is not none)) %}
        {%- if (message["role"] == "user") != (ns.index % 2 == 0) %}
            {{- raise_exception("After the optional system message, roles must alternate user/assistant/user/assistant/...") }}
        {%- endif %}
        {%- set ns.index = ns.index + 1 %}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if tools is not none and (message == user_messages[-1]) %}
            {{- "[AVAILABLE_TOOLS][" }}
            {%- for tool in tools %}
                {%- set tool = tool.function %}
                {{- '{"type": "function", "function": {' }}
                {%- for key, val in tool.items() if key != "return" %}
                    {%- if val is string %}
                        {{- '"' + key + '": "' + val + '"' }}
                    {%- else %}
                        {{- '"' + key + '": ' + val|tojson }}
                    {%- endif %}
                    {%- if not loop.last %}
                        {{- ", " }}
                    {%- endif %}
                {%- endfor %}
                {{- "}}" }}
                {%- if not loop.last %}
                    {{- ", " }}
                {%- else %}
                    {{- "]" }}
                {%- endif %}
            {%- endfor %}
            {{- "[/AVAILABLE_TOOLS]" }}
        {%- endif %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST]" + system_message + "\\n\\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST]" + message["content"] + "[/INST]" }}
        {%- endif %}
    {%- elif message["role"] == "tool_calls" or message.tool_calls is defined %}
        {{- "[TOOL_CALLS][" }}
        {%- for tool_call in message.tool_calls %}
            {%- set out = tool_call.function|tojson %}
            {{- out[:-1] }}
            {%- if not tool_call.id is defined or tool_call.id|length != 9 %}
                {{- raise_exception("Tool call IDs should be alphanumeric strings with length 9!") }}
            {%- endif %}
            {{- ', "id": "' + tool_call.id + '"}' }}
            {{- ", " if not loop.last else "]" + eos_token }}
        {%- endfor %}
    {%- elif message["role"] == "assistant" %}
        {{- message["content"]|trim + eos_token}}
    {%- elif message["role"] == "tool" %}
        {{- '[TOOL_RESULTS]{"content": ' + message.content|string + "}[/TOOL_RESULTS]" }}
    {%- else %}
        {{- raise_exception("Only user and assistant roles are supported!") }}
    {%- endif %}
{%- endfor %}
""",
    "gemma3": """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set first_user_prefix = messages[0]['content'] + '

' -%}
    {%- else -%}
        {%- set first_user_prefix = messages[0]['content'][0]['text'] + '

' -%}
    {%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") }}
    {%- endif -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '
' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}
            {%- if item['type'] == 'image' -%}
                {{ '<start_of_image>' }}
            {%- elif item['type'] == 'text' -%}
                {{ item['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("Invalid content type") }}
    {%- endif -%}
    {{ '<end_of_turn>
' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model
'}}
{%- endif -%}
""",
    "phi3": """{% for message in messages %}{% if message['role'] == 'system' %}{{'<|system|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'user' %}{{'<|user|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'assistant' %}{{'<|assistant|>
' + message['content'] + '<|end|>
'}}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>
' }}{% else %}{{ eos_token }}{% endif %}""",
    "macros": """{% macro shown(value, depth=0) -%}
    {%- if value is mapping -%}
        {% for key, item in value | dictsort %}{{ '  ' * depth }}{{ key }}: {{ shown(item, depth + 1) }}
{% endfor %}
    {%- elif value is sequence and value is not string -%}
        [{% for item in value %}{{ shown(item, depth=depth) }}{{ ', ' if not loop.last }}{% endfor %}]
    {%- else -%}
        {{ value | string | upper if value is boolean else value }}
    {%- endif -%}
{%- endmacro %}
{% generation %}
{{ shown({'b': [1, [2, 3.5]], 'A': {'x': true, 'y': none}}) }}
{% endgeneration %}
{% set all %}
  <{% for m in messages if m.role == 'user' %}{{ loop.index }}/{{ loop.length }} {{ m.content }};{% else %}no one{% endfor %}>
{% endset %}
{{ all | trim }}|{{- all | length }}
{% for i in range(10) %}{% if i == 2 %}{% continue %}{% elif i > 4 %}{% break %}{% endif %}{{ i }}{{ loop.previtem }}{% endfor %}
""",
    "spaces": "a  \n   {% if true %}  \n  b\n   {%- if true -%}  \n c \n {%- endif %} d\n  {%+ endif %}\n\n  {# no #}  \n{#- no -#}   e\r\n{{ 1 }}\n{{- 2 }}\n\n{{ 3 -}}\n\n  f{{'{%'}}  {% set x = {'a': {'b': 1}} %}  {{ x.a.b }}\r\n\t{% set y = 1 +%}\n{{ y }}\n\n",
}

EXPRESSIONS = r"""
1 + 2 * 3 - 4 // 3, 1 ~ 'a' ~ 1.0
-7 // 2, -7 % 3, 7 % -3, 7 / 2, 6 / 3, 7.5 // 2, -7.5 % 2, 1e3 is defined
1.0, 0.1, 100000.0, 1234567890123456.0, 12345678901234567.0, 0.0001, 0.00001, 2.5 * 2, 1 / 3
'a' * 3 ~ [1, 2] * 2 ~ (1,) ~ (1, 2) ~ [] ~ {} ~ {'a': none, "b": true}
'it\'s', ["it's", 'a"b', 'a\'"b', '\n\t\\\x01\x7f\u00e9\u200b'], '\d'
1 < 2 < 3, 1 < 2 > 3, 1 == 1.0, true == 1, 'a' < 'b', 'Z' < 'a', none == none, [1] == [1.0], (1,) == [1], {'a': 1} == {'a': 1}
1 in [1, 2], 'b' in 'abc', 'b' not in {'a': 1}, 'a' in {'a': 1}, 1 not in [], '' in ''
not true or false and true, 0 or 'x', 1 and '', none or [] or 0
'yes' if 1 else 'no', 'yes' if 0, ('a' if false) is defined, 1 if 0 else 2 if 0 else 3
missing, missing is defined, missing is undefined, missing | default('d'), '' | default('d'), '' | d('d', true), missing | length, missing | trim, missing ~ 'x', missing == other, [missing]
none is none, 1 is number, true is number, true is integer, 1.5 is float, true is boolean, 'a' is string, [] is sequence, 'a' is sequence, {} is mapping, {} is iterable, 3 is odd, 4 is even, 9 is divisibleby 3, 1 is not none, true is true, 1 is true, 0 is false
2 is gt 1, 2 is ge(2), 1 is lt 2, 1 is le 0, 1 is eq 1, 1 is equalto 2, 1 is ne 1, 1 is in [1], range is callable, missing is iterable
'abcdef'[1:3], 'abcdef'[-2:], 'abcdef'[::-1], 'abcdef'[::2], [1, 2, 3][-1], [1, 2, 3][5] is defined, [1, 2, 3][:-5], [1, 2, 3][5:1:-1], 'äöü'[1], 'äöü'[-1:], 'äöü' | length, (1, 2, 3)[1:]
{'a': 1}.a, {'a': 1}['a'], {'a': 1}.b is defined, {'a': {'b': [5]}}.a.b[0], [[1, 2]].0.1 is defined, {'items': 1}['items'], {'a': 1}.get('a'), {'a': 1}.get('b', 2), {'a': 1}.get('b')
{'a': 1, 'b': 2}.items() | list, {'a': 1, 'b': 2}.keys() | list, {'a': 1, 'b': 2}.values() | list, {'b': 1, 'A': 2, 'a': 3} | dictsort, {'a': 1} | items | list, {'x': 1} | list
'  a b  '.strip() ~ '|' ~ '  a '.lstrip() ~ '|' ~ ' a  '.rstrip() ~ '|' ~ 'xxaxx'.strip('x') ~ '|' ~ '\u3000a\u00a0'.strip() ~ '|' ~ ' a\x1f' | trim
'a,b,,c'.split(','), 'a b  c '.split(), 'a,b,c'.split(',', 1), ''.split(','), ''.split(), ' a  b c '.split(none, 1), 'abc'.split('x')
'abc'.startswith('a'), 'abc'.startswith(('x', 'ab')), 'abc'.endswith('bc'), 'abcabc'.replace('b', 'X'), 'abcabc'.replace('b', 'X', 1), 'abcabc' | replace('c', ''), 'abc'.find('c'), 'äöü'.find('ü'), 'abc'.find('x'), 'aXbXc'.count('X'), 'abc'.removeprefix('a'), 'abc'.removesuffix('bc'), 'abc'.removeprefix('x')
'aBc' | upper, 'aBc' | lower, 'hello WORLD-wide (yes)' | title, 'hELLO World' | capitalize, 'aBc'.upper(), 'aBc'.lower(), 'aBC d'.capitalize(), 1 | upper
[1, 2, 3] | join, [1, 2, 3] | join(', '), [{'a': 1}, {'a': 2}] | join('-', attribute='a'), 'abc' | join('.'), [1, none] | join('|')
[3, 1, 2] | first, [3, 1, 2] | last, [] | first is defined, 'abc' | first, 'abc' | last, [3, 1, 2] | length, 'abc' | list, {'a': 1} | length, [1, 2] | count
'12' | int, 'x' | int, 'x' | int(5), '3.7' | int, 3.9 | int, '1.5' | float, 'x' | float, 2 | float, true | int, none | int, ' 7 ' | int, 3 | string, 3 | abs, -3 | abs, -2.5 | abs
[1, 2, 3] | reverse | list, 'abc' | reverse, [3, 1, 2] | sort, ['b', 'A', 'c'] | sort, ['b', 'A', 'c'] | sort(reverse=true), [{'a': 2}, {'a': 1}] | sort(attribute='a'), [3, 1, 2] | min, ['b', 'A'] | max, [1, 2, 1] | unique | list, ['a', 'A', 'b'] | unique | list
[{'a': 1}, {'b': 2}] | map(attribute='a') | list, [{'a': 1}, {'b': 2}] | map(attribute='a', default=0) | list, [{'a': {'b': 1}}] | map(attribute='a.b') | list, ['a', 'b'] | map('upper') | list, none | map('upper') | list
[1, 2, 3, 4] | select('even') | list, [0, 1, '', 'a'] | select | list, [1, 2, 3] | reject('gt', 2) | list, [{'a': 1}, {'a': 2}] | selectattr('a', 'eq', 2) | list, [{'a': 0}, {'a': 2}] | selectattr('a') | list, [{'a': 1}, {}] | rejectattr('a', 'defined') | list
{'a': [1, 2.0, none, true, "x\"y\n\u00e9\u2028<&>"], 'b': {}, 'c': []} | tojson
{'a': [1, {'b': []}], 'c': {}} | tojson(indent=2), [] | tojson(indent=2), 'é' | tojson(ensure_ascii=true), 1.5 | tojson, 'a/b' | tojson, (1, 2) | tojson
'<b>' | safe, 'a' + ('<b>' | safe), '<' + ('<b>' | safe) + '"\'&', '<' ~ ('<b>' | safe), ('<b>' | safe) | length, ('<b>' | safe) == '<b>', ('<b>' | safe) | tojson
range(3) | list, range(1, 4) | list, range(5, 0, -2) | list, range(0) | list, dict(a=1, b='x'), namespace(a=1).a, namespace({'b': 2}).b, namespace().c is defined
'a' 'b' "c", 'multi
line', '\u4f60\U0001f389', '\x41\e'
strftime_now('%d %b %Y'), strftime_now('%Y-%m-%d %H:%M'), strftime_now('')
messages[0].role, messages | length, add_generation_prompt, tools is none, documents is none, bos_token
true, True, false, False, none, None, (1), (), [1,], {'a': 1,}
1 if messages else 2, messages[-1]['content'][:3], messages | map(attribute='role') | join(','), (messages | first).content
not 1 == 2, not 'a' in 'b', 1 + 1 is odd, -1 | abs, (-1) | abs, - 2 + 3, +1, 2 - -2
'x' is defined and 'y' is string or false, missing is not defined and not none
not ([] | select), not ([] | map('upper')), not {}.items(), [] | select | list, {'a': 1}.items() | length, ('b', 1) in {'b': 1}.items(), [1, 2] | select | first, [1, 2] | reverse | join, range(4)[1], range(4)[1:] | list, range(3) == range(3), range(3) is sequence, [1] | select is sequence, missing is callable, true | abs
1 / 0
[1] | select | length
[1] | select | tojson
{'a': 1}.items() | tojson
[1] | map('string') | last
range(2) + [1]
missing.a
none + 1
'a' + 1
[1] + (2,)
'a' < 1
1 in 5
missing()
'a'()
'abc'.foo()
range(1000000) | list
[1, 2] | tojson(indent=2).x
raise_exception('no')
[] | max + 1
5 | length
none | join
1 is divisibleby 0
'a' is divisibleby 2
missing + 'a'
{'a': missing} | tojson
namespace | tojson
""".strip("\n").split("\n")


def result(template, messages, begins_answer, variables):
    try:
        compiled = chat._compile_jinja_template(template)
        return {"text": compiled.render(messages=messages, add_generation_prompt=begins_answer, **TOKENS,
                                        **{"tools": None, "documents": None, **variables})}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def cases_of(name, template, cases):
    recorded = [{"messages": messages, "begins_answer": begins_answer, "variables": variables,
                 **result(template, json.loads(json.dumps(messages)), begins_answer, variables)}
                for messages, begins_answer, variables in cases]
    return {"name": name, "template": template, "cases": recorded}


def joined_lines(lines):
    """Lines that begin within a text belong to the one before: of the list above, `multi` and `line`."""
    result = []
    for line in lines:
        if result and result[-1].count("'") % 2 == 1 and result[-1].endswith("'multi"):
            result[-1] += "\n" + line
        else:
            result.append(line)
    return result


def main():
    if len(sys.argv) > 1:
        other = [cases_of(pathlib.Path(file).stem, pathlib.Path(file).read_bytes().decode(), CASES) for file in sys.argv[1:]]
        pathlib.Path("other_chat_templates.json").write_text(json.dumps(other, indent=1, ensure_ascii=False) + "\n")
        return
    recorded = [cases_of(name, template, CASES) for name, template in TEMPLATES.items()]
    recorded += [cases_of(expression, "{{ " + expression + " }}", CASES[1:2]) for expression in joined_lines(EXPRESSIONS)]
    file = pathlib.Path(__file__).parent / "chat_templates.json"
    file.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
