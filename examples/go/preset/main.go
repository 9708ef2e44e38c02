// A preset, rendered.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

type object = map[string]any

// call returns the status and the content of an answer.
func call(method, path string, body any) (int, []byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest(method, os.Getenv("API")+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, content, err
}

// data is what a call that succeeds has in its answer.
func data[T any](status int, content []byte, err error) (data T, _ error) {
	if err == nil && status >= 400 {
		err = fmt.Errorf("%d: %s", status, content)
	}
	if err != nil {
		return data, err
	}
	envelope := struct{ Data *T }{&data}
	err = json.Unmarshal(content, &envelope)
	return data, err
}

func run() error {
	preset, err := data[struct{ ID string }](call(http.MethodPost, "/prompt-presets", object{
		"name":       "City trips",
		"promptText": "Plan three days in {{city}} for {{travellers}}.",
		"values":     object{"city": "Lisbon"},
	}))
	if err != nil {
		return err
	}
	path := "/prompt-presets/" + preset.ID
	values := object{"values": object{"travellers": "two"}}
	rendered, err := data[struct{ Text string }](call(http.MethodPost, path+"/render", values))
	if err != nil {
		return err
	}
	fmt.Println(rendered.Text)

	// What is refused says why, problem by problem.
	status, content, err := call(http.MethodPost, "/prompt-presets", object{"name": "", "promptText": ""})
	if err != nil {
		return err
	}
	var refused struct {
		Error struct {
			Details []struct{ Path, Message string }
		}
	}
	if err := json.Unmarshal(content, &refused); err != nil {
		return err
	}
	for _, problem := range refused.Error.Details {
		fmt.Println(status, problem.Path, problem.Message)
	}

	_, err = data[any](call(http.MethodDelete, path, nil))
	return err
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
